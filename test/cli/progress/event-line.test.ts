import { describe, expect, it } from "vitest";
import { createColors } from "../../../src/cli/output/styles.js";
import { eventLine } from "../../../src/cli/progress/event-line.js";
import { RunTally } from "../../../src/cli/progress/run-tally.js";
import type { EventBody } from "../../../src/model/events.js";
import { at, eventLog } from "../support/events.js";

const colors = createColors(false);
const line = (body: EventBody, verbose = false) =>
  eventLine(eventLog().event(body), {
    colors,
    before: undefined,
    verbose,
    commandText: (command) => command,
  });

describe("a line of progress", () => {
  it("tells how long an attempt took", () => {
    const log = eventLog();
    const tally = new RunTally(0);
    tally.apply(log.event({ type: "NodeStarted", ...at("research"), attempt: 2 }));
    log.pass(48_999);
    const finished = log.event({ type: "NodeFinished", ...at("research"), attempt: 2 });
    expect(
      eventLine(finished, {
        colors,
        before: tally.apply(finished),
        verbose: false,
        commandText: (command) => command,
      }),
    ).toBe("✓ research (attempt 2, 49.0s)");
  });

  it.each<[EventBody, string]>([
    [{ type: "RunStarted", workflowName: "deploy", resumed: false, ownerId: "o" }, "▶ deploy r1"],
    [{ type: "RunStarted", workflowName: "deploy", resumed: true, ownerId: "o" }, "▶ deploy r1 continues"],
    [{ type: "NodeStarted", ...at("a"), attempt: 1 }, "→ a"],
    [{ type: "NodeStarted", ...at("a", 2), attempt: 3 }, "→ a #2 (attempt 3)"],
    [{ type: "NodeFinished", ...at("a"), attempt: 1, cached: true }, "✓ a (attempt 1, cached)"],
    [
      {
        type: "NodeFailed",
        ...at("a"),
        attempt: 1,
        error: { name: "ServiceError", code: "TASK_TIMEOUT", message: "too\nslow" },
      },
      "✗ a (attempt 1): TASK_TIMEOUT: too slow",
    ],
    [{ type: "NodeSkipped", ...at("a"), reason: "skipIf" }, "- a skipped: skipIf"],
    [
      { type: "NodeInterrupted", ...at("a"), attempt: 1, reason: "its process died" },
      "! a was interrupted: its process died; the attempt does not count",
    ],
    [{ type: "NodeWaitingApproval", ...at("ship") }, "… waiting for approval: ship"],
    [{ type: "NodeWaitingEvent", ...at("a"), event: "paid" }, "… waiting for signal paid: a"],
    [{ type: "NodeWaitingTimer", ...at("a"), firesAtMs: 1_060_001 }, "… a continues in 1m 00s"],
    [{ type: "ApprovalDenied", ...at("ship"), decidedBy: "ada" }, "✗ ship denied by ada"],
    [
      { type: "LoopFinished", loopId: "l", iterations: 5, exhausted: true },
      "! loop l stopped at maxIterations",
    ],
    [
      {
        type: "ScorerFailed",
        ...at("a"),
        attempt: 1,
        scorerId: "style",
        scorerName: "Style",
        error: { name: "ServiceError", code: "SCORER_FAILED", message: "no\nmodel" },
      },
      "! Style of a has no score: SCORER_FAILED: no model",
    ],
    [
      { type: "RunContinuedAsNew", newRunId: "r2", iteration: 1, carriedStateSize: 0 },
      "↪ continues as run r2",
    ],
  ])("says %j in words", (body, text) => {
    expect(line(body)).toBe(text);
  });

  it("leaves out what is noise, and what tasks write unless it is asked for", () => {
    const output: EventBody = {
      type: "NodeOutput",
      ...at("a"),
      attempt: 1,
      text: "one\ntwo\n",
      stream: "stdout",
    };
    expect(line({ type: "FrameCommitted", frameNo: 1, reason: "mount" })).toBeUndefined();
    expect(line({ type: "LoopFinished", loopId: "l", iterations: 5, exhausted: false })).toBeUndefined();
    expect(line(output)).toBeUndefined();
    expect(line(output, true)).toContain("a | one\na | two");
  });
});
