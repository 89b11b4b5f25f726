import { describe, expect, it } from "vitest";
import { withFix } from "../../../src/cli/output/remedy-text.js";
import { remedyCommand } from "../../../src/operations/index.js";
import type { Remedy } from "../../../src/index.js";

describe("the command of a remedy", () => {
  it.each<[Remedy, string]>([
    [{ action: "resume", runId: "r" }, "treadle up --resume r"],
    [
      { action: "resume", runId: "r", acceptWorkflowChange: true },
      "treadle up --resume r --accept-workflow-change",
    ],
    [{ action: "resume", runId: "r", needsWorkflow: true }, "treadle up FILE --resume r"],
    [
      { action: "approve", runId: "r", nodeId: "my task", iteration: 0, requestHash: "h", mode: "decision" },
      "treadle approve r 'my task'",
    ],
    [
      { action: "approve", runId: "r", nodeId: "x", iteration: 2, allowedScopes: ["ops", "admin"] },
      "treadle approve r x --iteration 2 --scope ops",
    ],
    [
      { action: "approve", runId: "r", nodeId: "x", iteration: 0, mode: "select", options: ["a", "b"] },
      "treadle approve r x --select a",
    ],
    [
      { action: "approve", runId: "r", nodeId: "x", iteration: 0, mode: "rank", options: ["a", "b"] },
      "treadle approve r x --rank a,b",
    ],
    [{ action: "signal", runId: "r", signal: "paid" }, "treadle signal r paid --data '{}'"],
    [
      { action: "signal", runId: "r", signal: "paid", example: { amount: 0, by: "…" } },
      `treadle signal r paid --data '{"amount":0,"by":"…"}'`,
    ],
    [
      { action: "approve", runId: "r", nodeId: "x", iteration: 0, asksForData: true, example: { n: 0 } },
      `treadle approve r x --data '{"n":0}'`,
    ],
    [
      { action: "signal", runId: "r", signal: "paid", correlationId: "order 7" },
      "treadle signal r paid --correlation 'order 7' --data '{}'",
    ],
    [{ action: "retry-task", runId: "r", nodeId: "x", iteration: 1 }, "treadle retry-task r x --iteration 1"],
    [{ action: "release-hijack", runId: "r", nodeId: "x", iteration: 0 }, "treadle hijack r x --release"],
    [
      { action: "events", runId: "r", nodeId: "x", types: ["NodeFailed"] },
      "treadle events r --node x --type NodeFailed",
    ],
    [{ action: "explain", runId: "r" }, "treadle why r"],
    [{ action: "inspect", runId: "r" }, "treadle inspect r"],
    [{ action: "list-runs" }, "treadle ps"],
    [{ action: "list-facts", namespace: "user:ada" }, "treadle memory list --namespace user:ada"],
    [{ action: "trust", path: "/a b/service.db" }, "treadle trust '/a b/service.db'"],
  ])("%j is %s", (remedy, command) => {
    expect(remedyCommand(remedy)).toBe(command);
  });

  it("stands beside what has the remedy, and nothing stands where nothing can be done", () => {
    const run = { remedy: { action: "explain", runId: "r" } as const };
    expect(withFix(run, (command) => `${command} --db x`)).toEqual({ ...run, fix: "treadle why r --db x" });
    expect(withFix({ remedy: null }, (command) => command)).toEqual({ remedy: null });
  });
});
