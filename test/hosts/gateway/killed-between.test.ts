import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { post, SECRET } from "./webhooks/support/hooks.js";
import { quietExisting, type QuietStore } from "../../support/quiet-store.js";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Where the process dies: nothing of the run is there, or its row is. */
const DEATHS = ["before the run is there", "after the run is there"] as const;
type Death = (typeof DEATHS)[number];

interface Place {
  /** Starts a gateway; it listens once this resolves. */
  start(register: object, dies?: Death): Promise<{ child: ChildProcess; url: string }>;
  store(): QuietStore;
  /** Ids of runs whose task has begun, once for each time. */
  begun(): string[];
}

function place(): Place {
  const folder = temporaryFolder();
  const [dbPath, log, armed] = ["service.db", "log.txt", "armed"].map((name) => join(folder, name));
  let opened: QuietStore | undefined;
  onTestFinished(() => opened?.close());
  return {
    async start(register, dies) {
      if (dies === "before the run is there") writeFileSync(armed as string, "");
      const options = { workspaceRoot: folder, dbPath, log, armed, register };
      const child = spawn(
        process.execPath,
        [at("support/dying-program.mjs"), at("../../../dist"), JSON.stringify(options)],
        {
          stdio: ["ignore", "pipe", "inherit"],
          env: {
            PATH: process.env.PATH,
            HOME: folder,
            ...(dies === "after the run is there" && { SERVICE_CRASH_AT: "run-created" }),
          },
        },
      );
      onTestFinished(() => {
        child.kill("SIGKILL");
      });
      const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
      return { child, url: `http://127.0.0.1:${String(line).trim()}` };
    },
    store() {
      opened ??= quietExisting(dbPath as string);
      return opened;
    },
    begun: () =>
      existsSync(log as string)
        ? readFileSync(log as string, "utf8")
            .trim()
            .split("\n")
        : [],
  };
}

async function exit(child: ChildProcess): Promise<void> {
  if (child.signalCode === null) await once(child, "exit");
  expect(child.signalCode).toBe("SIGKILL");
}

describe.each(DEATHS)("a gateway that is killed %s", (death) => {
  it("of a schedule has its run started once by the next gateway", async () => {
    const { start, store, begun } = place();
    const dead = await start({ schedule: "* * * * * *" }, death);
    await exit(dead.child);
    const [left, ...others] = store().schedules.open();
    const occurrence = store().schedules.occurrence("gateway:job", left?.scheduledAtMs ?? 0);
    expect({ others, occurrence }).toMatchObject({ others: [], occurrence: { state: "pending" } });
    const runId = occurrence?.runId as string;
    expect(store().getRun(runId) === undefined).toBe(death === "before the run is there");
    expect(begun()).toEqual([]);
    await start({ schedule: "* * * * * *" });
    await expect.poll(() => store().getRun(runId)?.status).toBe("finished");
    await expect
      .poll(() => store().schedules.occurrence("gateway:job", left?.scheduledAtMs ?? 0)?.state)
      .toBe("fired");
    // The schedule has gone on since; none of its runs was done twice.
    expect(begun()).toContain(runId);
    expect(new Set(begun()).size).toBe(begun().length);
  });

  it("of a webhook has its run started once by the next gateway, and answers the sender's next try with it", async () => {
    const { start, store, begun } = place();
    const register = { webhook: { secret: SECRET, run: { enabled: true } } };
    const delivery = { body: {}, headers: { "x-delivery-id": "d1" } };
    const dead = await start(register, death);
    await expect(post(dead, "job", delivery)).rejects.toThrow();
    await exit(dead.child);
    expect(store().deliveries.get("job", "id:d1")).toMatchObject({ state: "received", result: null });
    expect(begun()).toEqual([]);
    const next = await start(register);
    await expect.poll(() => store().deliveries.get("job", "id:d1")?.state).toBe("done");
    const { body } = await post(next, "job", delivery);
    const { runId } = body["started"] as { runId: string };
    expect(body["duplicate"]).toBe(true);
    await expect.poll(() => store().getRun(runId)?.status).toBe("finished");
    expect(begun()).toEqual([runId]);
  });
});
