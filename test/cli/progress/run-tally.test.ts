import { describe, expect, it } from "vitest";
import { RunTally } from "../../../src/cli/progress/run-tally.js";
import type { EventBody } from "../../../src/model/events.js";
import type { NodeRow } from "../../../src/model/node.js";
import { at, eventLog } from "../support/events.js";

function tallyOf(...bodies: EventBody[]) {
  const log = eventLog();
  const tally = new RunTally(1_000_000);
  for (const body of bodies) tally.apply(log.event(body));
  return tally;
}

const row = (nodeId: string, state: NodeRow["state"]): NodeRow => ({
  ...at(nodeId),
  state,
  lastAttempt: 1,
  failures: 0,
  failureFingerprint: null,
  identicalFailures: 0,
  interruptions: 0,
  dueAtMs: null,
  waitingSinceMs: null,
  wait: null,
  kind: null,
  outputKey: "",
  loopId: null,
  label: null,
  fingerprint: "",
  updatedAtMs: 0,
  finishedSeq: null,
  error: null,
});

describe("the tally of a run", () => {
  it("counts tasks by the state that their events put them in", () => {
    const tally = tallyOf(
      { type: "NodePending", ...at("a") },
      { type: "NodePending", ...at("b") },
      { type: "NodePending", ...at("c") },
      { type: "NodePending", ...at("d") },
      { type: "NodeStarted", ...at("a"), attempt: 1 },
      { type: "NodeFinished", ...at("a"), attempt: 1 },
      { type: "NodeStarted", ...at("b"), attempt: 1 },
      { type: "NodeSkipped", ...at("c") },
      { type: "NodeWaitingApproval", ...at("d") },
    );
    expect(tally.counts()).toEqual({ finished: 1, "in-progress": 1, skipped: 1, "waiting-approval": 1 });
  });

  it("takes a failed attempt that is tried again for pending, and one that is not for failed", () => {
    const error = { name: "Error", message: "boom" };
    const tally = tallyOf(
      { type: "NodeStarted", ...at("a"), attempt: 1 },
      { type: "NodeFailed", ...at("a"), attempt: 1, error },
      { type: "NodeRetrying", ...at("a"), attempt: 1, retryAtMs: 0 },
      { type: "NodeStarted", ...at("b"), attempt: 3 },
      { type: "NodeFailed", ...at("b"), attempt: 3, error },
    );
    expect(tally.find(at("a"))).toMatchObject({ state: "pending", attempt: 1 });
    expect(tally.find(at("b"))).toMatchObject({ state: "failed", attempt: 3, note: "boom" });
  });

  it("tells the task as it stood before an event", () => {
    const log = eventLog();
    const tally = new RunTally(0);
    tally.apply(log.event({ type: "NodeStarted", ...at("a"), attempt: 1 }));
    const before = tally.apply(log.event({ type: "NodeFinished", ...at("a"), attempt: 1 }));
    expect(before).toMatchObject({ state: "in-progress" });
    expect(tally.find(at("a"))).toMatchObject({ state: "finished" });
  });

  it("keeps iterations of a loop apart and knows the newest", () => {
    const tally = tallyOf(
      { type: "NodeStarted", ...at("a", 0), attempt: 1 },
      { type: "NodeFinished", ...at("a", 0), attempt: 1 },
      { type: "NodeStarted", ...at("a", 1), attempt: 1 },
    );
    expect(tally.counts()).toEqual({ finished: 1, "in-progress": 1 });
    expect(tally.newest("a")).toMatchObject({ iteration: 1, state: "in-progress" });
  });

  it("adds up tokens, input and output", () => {
    const usage = {
      type: "TokenUsageReported",
      attempt: 1,
      model: "m",
      agent: "x",
      outputTokens: 5,
    } as const;
    const tally = tallyOf(
      { ...usage, ...at("a"), inputTokens: 10 },
      { ...usage, ...at("b"), inputTokens: 1 },
    );
    expect(tally.tokens).toBe(21);
  });

  it("starts from the rows of a resumed run; what was in progress starts again", () => {
    const tally = new RunTally(0, [row("a", "finished"), row("b", "in-progress")]);
    expect(tally.counts()).toEqual({ finished: 1, pending: 1 });
  });

  it("starts anew when the run continues as another one", () => {
    const tally = tallyOf(
      { type: "NodeFinished", ...at("a"), attempt: 1 },
      { type: "RunContinuedAsNew", newRunId: "r2", iteration: 5, carriedStateSize: 0 },
    );
    expect(tally.counts()).toEqual({});
  });

  it("remembers the last line a task wrote", () => {
    const output = { type: "NodeOutput", ...at("a"), attempt: 1, stream: "stdout" } as const;
    const tally = tallyOf({ type: "NodeStarted", ...at("a"), attempt: 1 }, { ...output, text: "one\ntwo\n" });
    expect(tally.find(at("a"))?.note).toBe("two");
  });
});
