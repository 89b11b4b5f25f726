import { describe, expect, it } from "vitest";
import { eventText } from "../../../src/cli/output/event-text.js";
import { logText } from "../../../src/cli/output/log-text.js";
import type { EventBody } from "../../../src/model/events.js";
import { at, eventLog } from "../support/events.js";

const event = (body: EventBody) => eventLog().event(body);

describe("an event on one line", () => {
  it.each<[EventBody, string]>([
    [{ type: "RunFinished" }, "RunFinished"],
    [{ type: "NodeStarted", ...at("a", 2), attempt: 1 }, "NodeStarted a #2  attempt=1"],
    [{ type: "SignalReceived", signal: "paid", signalSeq: 3 }, "SignalReceived  signal=paid signalSeq=3"],
    [
      { type: "NodeRetrying", ...at("a"), attempt: 1, retryAtMs: 1_005_001 },
      "NodeRetrying a  attempt 2 in 5.0s",
    ],
    [
      { type: "RunFailed", error: { name: "ServiceError", code: "TASK_TIMEOUT", message: "too slow" } },
      "RunFailed  TASK_TIMEOUT: too slow",
    ],
    [{ type: "RunFinished", failedChildKeys: ["a::0"] }, 'RunFinished  failedChildKeys=["a::0"]'],
  ])("%j", (body, text) => {
    expect(eventText(event(body))).toBe(text);
  });
});

describe("a line of a task's log", () => {
  const attempt = { ...at("build"), attempt: 1 };

  it("stands behind the task, each line of it", () => {
    expect(logText(event({ type: "NodeOutput", ...attempt, text: "one\ntwo\n", stream: "stdout" }))).toBe(
      "build | one\nbuild | two",
    );
  });

  it("tells what an agent says, does, and answers", () => {
    const agent = (inner: { type: string } & Record<string, unknown>) =>
      logText(event({ type: "AgentEvent", ...attempt, engine: "codex", event: inner }));
    expect(agent({ type: "started", title: "codex 1.0" })).toBe("build | codex 1.0");
    expect(agent({ type: "action", action: { title: "ran ls" } })).toBe("build | ran ls");
    expect(agent({ type: "action", message: "thinking", action: { title: "x" } })).toBe("build | thinking");
    expect(agent({ type: "completed", answer: "42" })).toBe("build | 42");
    expect(agent({ type: "something-new" })).toBe("");
  });

  it("is empty for events that are no log", () => {
    expect(logText(event({ type: "RunFinished" }))).toBe("");
  });
});
