import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { connect, Socket } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openGateway } from "../../hosts/gateway/support/gateway.js";
import { asking, doubling } from "../../hosts/gateway/support/workflows.js";
import { callIn } from "../support/in-process.js";

/** A workspace with a run that has ended, one that waits and a schedule; no process drives them any more. */
async function workspace(): Promise<string> {
  const gateway = await openGateway((gateway, folder) =>
    gateway.register("double", doubling(folder)).register("ask", asking(folder)),
  );
  for (const [workflow, runId, input] of [
    ["double", "d1", { n: 2 }],
    ["double", "d2", { n: 3 }],
    ["ask", "a1", {}],
  ] as const) {
    await gateway.call("launchRun", { workflow, runId, input });
    await gateway.until(runId, workflow === "ask" ? "waiting-approval" : "finished");
  }
  await gateway.call("cronCreate", { workflow: "ask", pattern: "0 3 1 1 *", cronId: "yearly" });
  await gateway.gateway.close();
  return gateway.folder;
}

/** Of all that is kept. */
function kept(folder: string): string {
  const files = ["service.db", "service.db-wal"].map((name) => join(folder, name)).filter(existsSync);
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest("hex");
}

const DRY: readonly (readonly string[])[] = [
  ["approve", "a1"],
  ["deny", "a1", "gate"],
  ["signal", "a1", "go", "--data", '{"n":1}'],
  ["cancel", "a1"],
  ["cancel", "--workflow", "ask"],
  ["retry", "--status", "finished,waiting-approval"],
  ["prune", "--older-than", "0ms"],
  ["supervise"],
  ["cron", "create", "ask", "0 4 * * *"],
  ["cron", "update", "yearly", "--disable"],
  ["cron", "delete", "yearly"],
  ["cron", "run", "yearly"],
  ["trust", "."],
];

describe("--dry-run", () => {
  it("shows what would be done, and changes nothing", async () => {
    const folder = await workspace();
    const before = kept(folder);
    for (const argv of DRY) {
      const { code, stdout } = await callIn(folder, [...argv, "--dry-run", "--json"]);
      expect({ argv, code }).toEqual({ argv, code: 0 });
      if (argv[0] !== "supervise") expect(JSON.parse(stdout), argv.join(" ")).toMatchObject({ dryRun: true });
      expect((await callIn(folder, [...argv, "--dry-run"])).stdout, argv.join(" ")).not.toBe("");
    }
    expect(kept(folder)).toBe(before);
  });

  it("refuses what would be refused", async () => {
    const folder = await workspace();
    for (const [argv, error] of [
      [["signal", "d1", "go"], "RUN_NOT_ACTIVE"],
      [["signal", "a1", "go", "--data", "[1"], "CLI_USAGE"],
      [["cron", "create", "ask", "61 * * * *"], "INVALID_INPUT"],
      [["cron", "delete", "nothing"], "CRON_NOT_FOUND"],
      [["cron", "create", "ask", "@daily", "--id", "yearly"], "CRON_EXISTS"],
      [["hijack", "a1"], "RUN_NOT_ACTIVE"],
    ] as const) {
      const { code, stdout } = await callIn(folder, [...argv, "--dry-run", "--json"]);
      expect({ argv, code }).toEqual({ argv, code: 4 });
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: error } });
    }
  });
});

describe("a command that makes something", () => {
  it("prints its id alone on stdout, for the next command", async () => {
    const folder = await workspace();
    const made = await callIn(folder, ["cron", "create", "ask", "0 4 * * *", "--id", "nightly"]);
    expect(made.stdout).toBe("nightly\n");
    expect(made.stderr).toMatch(/nightly +ask/);
    const { stdout } = await callIn(folder, ["cron", "run", "nightly"]);
    expect(stdout).toMatch(/^cron:nightly:\S+\n$/);
  });
});

describe("a run", () => {
  it("is meant by its id, the unique start of it, latest or -, and several are named", async () => {
    const folder = await workspace();
    const meant = async (reference: string) => {
      const { stdout } = await callIn(folder, ["why", reference, "--json"]);
      return JSON.parse(stdout) as { runId?: string; error?: { code: string; details: object } };
    };
    expect((await meant("a")).runId).toBe("a1");
    expect((await meant("d1")).runId).toBe("d1");
    expect((await meant("latest")).runId).toBe("a1");
    expect((await meant("-")).runId).toBe("a1");
    expect((await meant("d")).error).toMatchObject({
      code: "INVALID_INPUT",
      details: { candidates: expect.arrayContaining(["d1", "d2"]) },
    });
  });
});

describe("without a terminal", () => {
  afterEach(() => vi.restoreAllMocks());

  it("there is no question: a command that needs a yes says so with exit code 4 and changes nothing", async () => {
    const folder = await workspace();
    const before = kept(folder);
    for (const argv of [
      ["approve", "a1"],
      ["cancel", "--workflow", "ask"],
      ["retry", "d1"],
      ["prune", "--older-than", "0ms"],
      ["cron", "delete", "yearly"],
      ["trust", "."],
    ]) {
      const { code, stderr } = await callIn(folder, argv);
      expect({ argv, code, stderr }).toMatchObject({
        argv,
        code: 4,
        stderr: expect.stringContaining("--yes"),
      });
    }
    expect(kept(folder)).toBe(before);
  });

  it("no command looks for updates or sends anything", async () => {
    const folder = await workspace();
    const connects = vi.spyOn(Socket.prototype, "connect");
    for (const argv of [["--version"], ["help"], ["ps"], ["why", "a1"], ["inbox"], ["agents", "list"]]) {
      const { code, stdout } = await callIn(folder, argv);
      expect({ argv, code }).toEqual({ argv, code: 0 });
      expect(stdout).not.toMatch(/update available|new version/i);
    }
    expect(connects).not.toHaveBeenCalled();
    // The spy sees what it is there for.
    connect(1, "127.0.0.1").on("error", () => {});
    expect(connects).toHaveBeenCalledOnce();
  });
});
