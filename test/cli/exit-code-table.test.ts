import { describe, expect, it } from "vitest";
import { Workspace } from "./support/treadle.js";
import { FAILING, GATED, HELLO, SIX, TOLERANT } from "./support/workflows.js";

describe("the exit code of up", () => {
  it("is 0 for a run that finished", async () => {
    const { code } = await new Workspace({ "w.tsx": HELLO }).treadle(["up", "w.tsx"]);
    expect(code).toBe(0);
  });

  it("is 0 for a run that tolerated failures, and says so", async () => {
    const { code, stderr } = await new Workspace({ "w.tsx": TOLERANT }).treadle(["up", "w.tsx"]);
    expect(code).toBe(0);
    expect(stderr).toContain("finished with 1 failed task: broken");
  });

  it("is 1 for a run that failed", async () => {
    const { code } = await new Workspace({ "w.tsx": FAILING }).treadle(["up", "w.tsx"]);
    expect(code).toBe(1);
  });

  it("is 2 for a run that was cancelled meanwhile", async () => {
    const workspace = new Workspace({ "w.tsx": SIX });
    const running = workspace.start(["up", "w.tsx", "--run-id", "six", "--verbose"]);
    await running.seen("task 3 is at work");
    const cancel = await workspace.json(["cancel", "six", "--reason", "enough"]);
    expect(cancel).toMatchObject({ code: 0, document: { runId: "six", status: "cancelling" } });
    expect((await running.done).code).toBe(2);
  });

  it("is 3 for a run that waits for people", async () => {
    const { code, stderr } = await new Workspace({ "w.tsx": GATED }).treadle([
      "up",
      "w.tsx",
      "--run-id",
      "g",
    ]);
    expect(code).toBe(3);
    expect(stderr).toContain("treadle approve g ship");
    expect(stderr).toContain("treadle up --resume g");
  });

  it.each([
    [["up"], "CLI_USAGE"],
    [["up", "gone.tsx"], "WORKFLOW_NOT_FOUND"],
    [["up", "hello.tsx", "--input", "{"], "CLI_USAGE"],
    [["up", "hello.tsx", "--set", "name=3"], "INVALID_INPUT"],
    [["up", "hello.tsx", "--max-concurrency", "0"], "CLI_USAGE"],
    [["up", "hello.tsx", "--run-id", "a b"], "INVALID_INPUT"],
    [["up", "hello.tsx", "--annotations", '{"a":{}}'], "CLI_USAGE"],
    [["up", "hello.tsx", "--force"], "CLI_USAGE"],
    [["up", "--resume", "nope"], "CLI_DB_NOT_FOUND"],
    [["ps"], "CLI_DB_NOT_FOUND"],
    [["ps", "--db", "elsewhere.db"], "CLI_DB_NOT_FOUND"],
  ])("is 4 for the wrong call %j", async (argv, errorCode) => {
    const { code, document } = await new Workspace({ "hello.tsx": HELLO }).json<{ error: { code: string } }>(
      argv,
    );
    expect(document.error.code).toBe(errorCode);
    expect(code).toBe(4);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("is that of the signal for a run stopped by %s", async (signal, expected) => {
    const running = new Workspace({ "w.tsx": SIX }).start(["up", "w.tsx", "--run-id", "six", "-v"]);
    await running.seen("task 3 is at work");
    running.process.kill(signal);
    const { code, stderr } = await running.done;
    expect(code).toBe(expected);
    expect(stderr).toContain("treadle up --resume six");
  });
});

describe("the exit code of commands about runs", () => {
  it("is 4 for runs, tasks and decisions that are not there", async () => {
    const workspace = new Workspace({ "hello.tsx": HELLO });
    await workspace.treadle(["up", "hello.tsx", "--run-id", "h"]);
    const calls: [string[], string][] = [
      [["inspect", "x"], "RUN_NOT_FOUND"],
      [["node", "h", "nope"], "NODE_NOT_FOUND"],
      [["output", "h", "nope"], "NODE_NOT_FOUND"],
      [["approve", "h", "--yes"], "NODE_NOT_WAITING"],
      [["signal", "h", "late"], "RUN_NOT_ACTIVE"],
      [["cancel", "h"], "RUN_NOT_ACTIVE"],
      [["events", "h", "--type", "Nothing"], "INVALID_EVENTS_OPTIONS"],
      [["up", "hello.tsx", "--run-id", "h", "--set", "name=other"], "INVALID_INPUT"],
      [["cancel"], "CLI_USAGE"],
    ];
    for (const [argv, errorCode] of calls) {
      const { code, document } = await workspace.json<{ error: { code: string } }>(argv);
      expect(document.error.code, argv.join(" ")).toBe(errorCode);
      expect(code, argv.join(" ")).toBe(4);
    }
  });
});
