import { readFileSync, statSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { ProcessWorkspace } from "../support/treadle.js";
import { GATED, HELLO, SIX } from "../support/workflows.js";

interface Detached {
  runId: string;
  pid: number;
  logFile: string;
  url?: string;
  follow: string;
}

async function detach(workspace: ProcessWorkspace, ...args: string[]) {
  const { code, document } = await workspace.json<Detached>(["up", ...args, "--detach"]);
  onTestFinished(() => {
    if (isAlive(document.pid)) process.kill(document.pid, "SIGKILL");
  });
  expect(code).toBe(0);
  return document;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Of a process, as the kernel has it. */
const sessionOf = (pid: number) =>
  Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[3]);

describe("up --detach", () => {
  it("continues in a process of its own, which takes up what people answer, and can be served", async () => {
    const workspace = new ProcessWorkspace({ "gated.tsx": GATED });
    const { runId, pid, logFile, url } = await detach(workspace, "gated.tsx", "--serve", "--port", "0");
    expect(sessionOf(pid)).toBe(pid);
    expect(statSync(logFile).mode & 0o777).toBe(0o600);
    expect(logFile).toBe(workspace.path(`.service/logs/${runId}.log`));
    await expect
      .poll(async () => (await workspace.json(["why", runId])).document)
      .toMatchObject({
        status: "waiting-approval",
      });
    const token = readFileSync(workspace.path(`.service/hosts/${new URL(url ?? "").port}.token`), "utf8");
    const served = await fetch(`${url}/`, { headers: { authorization: `Bearer ${token}` } });
    expect(((await served.json()) as { runId: string }).runId).toBe(runId);
    expect((await workspace.json(["approve", runId, "--yes"])).document).toMatchObject({ approved: true });
    await workspace.treadle(["signal", runId, "payment", "--data", '{"amount":3}']);
    const followed = await workspace.treadle(["events", runId, "--follow", "--type", "RunFinished"]);
    expect(followed.stdout).toContain("RunFinished");
    expect(readFileSync(logFile, "utf8")).toContain("✓ total");
    process.kill(pid, "SIGTERM");
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it("prints the id of the run alone, follows by logs, and ends it by cancel", async () => {
    const workspace = new ProcessWorkspace({ "six.tsx": SIX });
    const { code, stdout, stderr } = await workspace.treadle(["up", "six.tsx", "--detach"]);
    expect(code).toBe(0);
    const runId = stdout.trim();
    expect(stderr).toContain(`treadle logs ${runId} --follow`);
    expect(stderr).toContain(`treadle cancel ${runId}`);
    const pid = Number(/in process (\d+)/.exec(stderr)?.[1]);
    const logs = workspace.start(["logs", runId, "--follow"]);
    await logs.seen("task 3 is at work");
    expect((await workspace.json(["cancel", runId])).document).toMatchObject({ runId });
    expect((await logs.done).code).toBe(0);
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect((await workspace.json(["why", runId])).document).toMatchObject({ status: "cancelled" });
  });

  it("fails as up does when the run cannot start, and starts nothing", async () => {
    const workspace = new ProcessWorkspace({ "hello.tsx": HELLO, "exits.tsx": "process.reallyExit(7);" });
    const wrong = await workspace.json(["up", "hello.tsx", "--set", "name=1", "--detach"]);
    expect(wrong).toMatchObject({ code: 4, document: { ok: false, error: { code: "INVALID_INPUT" } } });
    const gone = await workspace.json(["up", "exits.tsx", "--detach"]);
    expect(gone).toMatchObject({
      code: 4,
      document: { error: { code: "PROCESS_SPAWN_FAILED", details: { exitCode: 7 } } },
    });
    const typed = await workspace.treadle(["up", "hello.tsx", "--input", "-", "--detach"]);
    expect(typed).toMatchObject({ code: 4, stderr: expect.stringContaining("use @file") });
    expect((await workspace.treadle(["ps"])).code).toBe(4);
  });
});
