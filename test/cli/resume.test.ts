import Database from "better-sqlite3";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ProcessWorkspace, Workspace } from "./support/treadle.js";
import { FAILING, HELLO, SIX } from "./support/workflows.js";

const linesOf = (workspace: Workspace) => readFileSync(workspace.path("log.txt"), "utf8").trim().split("\n");

async function untilThirdTask(workspace: Workspace) {
  const running = workspace.start(["up", "flows/six.tsx", "--run-id", "six", "--verbose"]);
  await running.seen("task 3 is at work");
  return running;
}

describe("up --resume", () => {
  it("continues a killed run with nothing but its id, from a folder below, and runs no finished task again", async () => {
    const workspace = new ProcessWorkspace({ "flows/six.tsx": SIX, "deep/below/x": "" });
    const running = await untilThirdTask(workspace);
    running.process.kill("SIGKILL");
    await running.done;
    writeFileSync(workspace.path("flows/go"), "");
    const { code } = await workspace.treadle(["up", "--resume", "six"], { cwd: "deep/below" });
    expect(code).toBe(0);
    expect(readFileSync(workspace.path("flows/log.txt"), "utf8").trim().split("\n")).toEqual([
      "1",
      "2",
      "3",
      "3",
      "4",
      "5",
      "6",
    ]);
  });

  it("finds the newest run that can continue by itself", async () => {
    const workspace = new ProcessWorkspace({ "flows/six.tsx": SIX, "hello.tsx": HELLO });
    const running = await untilThirdTask(workspace);
    running.process.kill("SIGINT");
    await running.done;
    await workspace.treadle(["up", "hello.tsx"]);
    writeFileSync(workspace.path("flows/go"), "");
    const { code, document } = await workspace.json(["up", "--resume"]);
    expect(code).toBe(0);
    expect(document).toMatchObject({ runId: "six", status: "finished" });
  });

  it("says so when nothing is left to continue", async () => {
    const workspace = new Workspace({ "hello.tsx": HELLO });
    await workspace.treadle(["up", "hello.tsx"]);
    const { code, document } = await workspace.json(["up", "--resume"]);
    expect(code).toBe(4);
    expect(document).toMatchObject({ error: { code: "RUN_NOT_FOUND" } });
  });

  it("gives a failed run another chance with the corrected file", async () => {
    const workspace = new Workspace({ "w.tsx": FAILING });
    await workspace.treadle(["up", "w.tsx", "--run-id", "f"]);
    workspace.write("w.tsx", FAILING.replace('throw new Error("the disk is on fire");', "return { n: 5 };"));
    const refused = await workspace.json(["up", "--resume", "f"]);
    expect(refused).toMatchObject({
      code: 4,
      document: { error: { code: "RESUME_METADATA_MISMATCH", summary: expect.stringContaining("~ broken") } },
    });
    const accepted = await workspace.json(["up", "--resume", "f", "--accept-workflow-change"]);
    expect(accepted).toMatchObject({ code: 0, document: { status: "finished" } });
  });

  it("does not take an edit of comments and formatting for a change", async () => {
    const workspace = new Workspace({ "w.tsx": FAILING });
    await workspace.treadle(["up", "w.tsx", "--run-id", "f"]);
    workspace.write("w.tsx", `// why\n\n${FAILING.replace("throw new", "/* hot */ throw   new")}`);
    const { document } = await workspace.json(["up", "--resume", "f"]);
    expect(document).toMatchObject({ runId: "f", status: "failed" });
  });

  it("does not take the place of elements inside a task's function for a change, nor the folder of the call", async () => {
    const text = FAILING.replace(
      '() => { throw new Error("the disk is on fire"); }',
      "() => <p>a prompt where a row belongs</p>",
    );
    const workspace = new Workspace({ "w.tsx": text, "below/x": "" });
    await workspace.treadle(["up", "w.tsx", "--run-id", "f"]);
    workspace.write("w.tsx", `// why\n\n${text}`);
    const { document } = await workspace.json(["up", "--resume", "f"], { cwd: "below" });
    expect(document).toMatchObject({ runId: "f", status: "failed" });
  });

  it("refuses a run that another process drives, and names it", async () => {
    const workspace = new Workspace({ "flows/six.tsx": SIX });
    const running = await untilThirdTask(workspace);
    const { code, document } = await workspace.json(["up", "--resume", "six"]);
    expect(code).toBe(4);
    expect(document).toMatchObject({
      error: { code: "RUN_OWNER_ALIVE", summary: expect.stringContaining(String(running.process.pid)) },
    });
  });

  it("returns the stored result of a run that has finished", async () => {
    const workspace = new Workspace({ "hello.tsx": HELLO });
    const first = await workspace.json(["up", "hello.tsx", "--run-id", "h"]);
    const again = await workspace.json(["up", "--resume", "h"]);
    expect(again.document).toEqual(first.document);
  });

  it("refuses options that belong to a new run", async () => {
    const { code, document } = await new Workspace().json(["up", "--resume", "x", "--set", "a=1"]);
    expect(code).toBe(4);
    expect(document).toMatchObject({
      error: { code: "CLI_USAGE", summary: expect.stringContaining("--set") },
    });
  });
});

describe("a run whose process was killed", () => {
  it("is never shown as running", async () => {
    const workspace = new Workspace({ "flows/six.tsx": SIX });
    const running = await untilThirdTask(workspace);
    const stateIn = async (...args: string[]) => (await workspace.treadle([...args, "--json"])).stdout;
    expect(await stateIn("ps")).toContain('"runState": "running"');
    running.process.kill("SIGKILL");
    await running.done;
    expect(await stateIn("ps")).toContain('"runState": "orphaned"');
    expect(await stateIn("inspect", "six")).toContain('"runState": "orphaned"');
    const { document } = await workspace.json(["why", "six"]);
    expect(document).toMatchObject({
      runState: "orphaned",
      blockers: [{ kind: "owner", fix: "treadle up --resume six" }],
    });
    expect((await workspace.treadle(["node", "six", "t3"])).stdout).toContain(
      "orphaned: no process works on it",
    );
  });
});

describe("up --run-id", () => {
  it("given twice with equal input gives one run", async () => {
    const workspace = new Workspace({ "hello.tsx": HELLO });
    const first = await workspace.json(["up", "hello.tsx", "--run-id", "h", "--set", "name=Ada"]);
    const second = await workspace.json(["up", "hello.tsx", "--run-id", "h", "--input", '{"name":"Ada"}']);
    expect(second.document).toEqual(first.document);
    const { document } = await workspace.json<{ runs: unknown[] }>(["ps"]);
    expect(document.runs).toHaveLength(1);
  });
});

describe("stopping", () => {
  it("ends at once on the second signal", async () => {
    const stubborn = SIX.replace("!signal.aborted", "true").replace("signal.throwIfAborted();", "");
    const workspace = new Workspace({ "six.tsx": stubborn });
    const running = workspace.start(["up", "six.tsx", "--run-id", "six", "--verbose"]);
    await running.seen("task 3 is at work");
    running.process.kill("SIGINT");
    await running.seen("once more ends at once");
    running.process.kill("SIGINT");
    expect(await running.done).toMatchObject({ code: 130 });
  });

  it("leaves what was done and runs the interrupted task again", async () => {
    const workspace = new ProcessWorkspace({ "six.tsx": SIX });
    const running = workspace.start(["up", "six.tsx", "--run-id", "six", "--verbose"]);
    await running.seen("task 3 is at work");
    running.process.kill("SIGTERM");
    await running.done;
    workspace.write("go", "");
    await workspace.treadle(["up", "--resume"]);
    expect(linesOf(workspace)).toEqual(["1", "2", "3", "3", "4", "5", "6"]);
  });

  it("has attempts that lasted until it died", async () => {
    const workspace = new ProcessWorkspace({ "flows/six.tsx": SIX });
    const running = await untilThirdTask(workspace);
    running.process.kill("SIGKILL");
    await running.done;
    // It was an hour ago.
    const database = new Database(workspace.path("service.db"));
    database.exec("UPDATE _service_attempts SET started_at_ms = started_at_ms - 3600000");
    database.exec("UPDATE _service_runs SET heartbeat_at_ms = heartbeat_at_ms - 3600000");
    database.close();
    const tookOf = async () => {
      const { stdout } = await workspace.treadle(["node", "six", "t3"]);
      return /1\. [a-z-]+ (\S+), 1h/.exec(stdout)?.[1];
    };
    expect(await tookOf()).toMatch(/^[\d.]+m?s$/);
    workspace.write("flows/go", "");
    await workspace.treadle(["up", "--resume", "six"]);
    expect(await tookOf()).toMatch(/^[\d.]+m?s$/);
  });
});
