import { expect, it } from "vitest";
import type { SequencedEvent } from "../../../src/client/index.js";
import { entriesOf } from "../../../src/console/node/transcript-entries.js";
import type { AgentCliEvent } from "../../../src/model/agent.js";

const ADDRESS = { runId: "r", nodeId: "n", iteration: 0, attempt: 1 };

function told(seq: number, event: AgentCliEvent): SequencedEvent {
  return { seq, event: { type: "AgentEvent", ...ADDRESS, timestampMs: seq * 100, engine: "e", event } };
}

function action(phase: "started" | "updated" | "completed", more: object = {}): AgentCliEvent {
  const one = { id: "t1", kind: "tool", title: "read" } as const;
  return { type: "action", engine: "e", phase, action: one, ...more };
}

it("makes one entry of a tool's call, with what it was given, what it gave and how long it took", () => {
  const call = { id: "t1", kind: "tool", title: "read" } as const;
  const events = [
    told(0, action("started", { action: { ...call, detail: { input: { path: "a.txt" } } } })),
    told(3, action("completed", { action: { ...call, detail: { output: "text" } }, ok: false })),
  ];
  expect(entriesOf(events.slice(0, 1))).toMatchObject([{ endedAtMs: null, ok: undefined }]);
  expect(entriesOf(events)).toMatchObject([
    {
      kind: "tool",
      title: "read",
      detail: { input: { path: "a.txt" }, output: "text" },
      ok: false,
      startedAtMs: 0,
      endedAtMs: 300,
    },
  ]);
});

it("adds the pieces of a text up until its end brings all of it", () => {
  const piece = { entryType: "message" } as const;
  const events = [
    told(0, action("updated", { ...piece, message: "Hel" })),
    told(1, action("updated", { ...piece, message: "lo" })),
  ];
  expect(entriesOf(events)).toMatchObject([{ kind: "message", text: "Hello", endedAtMs: null }]);
  const whole = told(2, action("completed", { ...piece, message: "Hello.", ok: true }));
  const another = told(3, action("completed", { ...piece, message: "Again.", ok: true }));
  expect(entriesOf([...events, whole, another])).toMatchObject([{ text: "Hello." }, { text: "Again." }]);
});

it("says nothing of the success of what was under way when the attempt ended, but that it is over", () => {
  const end = {
    seq: 5,
    event: { type: "NodeInterrupted", ...ADDRESS, timestampMs: 500, reason: "killed" },
  } as const;
  expect(entriesOf([told(0, action("started")), end])).toMatchObject([{ endedAtMs: 500, ok: undefined }]);
});

it("knows the calls of the library's tools, and the corrections that an agent was asked for", () => {
  const tool = { ...ADDRESS, toolCallId: "call-1", toolName: "grep", seq: 1 };
  const entries = entriesOf([
    { seq: 0, event: { type: "ToolCallStarted", ...tool, timestampMs: 0 } },
    { seq: 1, event: { type: "ToolCallFinished", ...tool, timestampMs: 40, status: "success" } },
    {
      seq: 2,
      event: {
        type: "StructuredOutputRejected",
        ...ADDRESS,
        timestampMs: 50,
        schemaRetry: 1,
        issues: ["n: no"],
      },
    },
  ]);
  expect(entries).toMatchObject([
    { kind: "tool", title: "grep", ok: true, endedAtMs: 40 },
    { kind: "correction", text: "n: no", ok: false },
  ]);
});
