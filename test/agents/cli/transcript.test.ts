import { describe, expect, it } from "vitest";
import { Transcript } from "../../../src/agents/cli/transcript.js";
import { createRedactor } from "../../../src/util/redactor.js";
import type { AgentCliEvent } from "../../../src/model/agent.js";

function open(options: { maxOutputBytes?: number; secrets?: string[] } = {}) {
  const events: AgentCliEvent[] = [];
  const said: string[] = [];
  const transcript = new Transcript({
    engine: "pi",
    title: "Pi",
    redactor: createRedactor(options.secrets ?? []),
    maxOutputBytes: options.maxOutputBytes ?? 1_000,
    onEvent: (event) => events.push(event),
    onText: (text) => said.push(text),
  });
  return { transcript, events, said };
}

describe("the start", () => {
  it("is reported once, before anything else", () => {
    const { transcript, events } = open();
    transcript.message("Hello");
    transcript.session("s1");
    transcript.start();
    expect(events.map(({ type }) => type)).toEqual(["started", "action"]);
  });

  it("waits for the conversation's id, which an empty one is not", () => {
    const { transcript, events } = open();
    transcript.session(undefined);
    transcript.session("");
    expect(events).toEqual([]);
    transcript.session("s1");
    expect(events).toEqual([{ type: "started", engine: "pi", title: "Pi", resume: "s1" }]);
  });
});

it("a secret that stands where a long line is said in parts is not said in two halves", () => {
  const { transcript, said } = open({ secrets: ["planted-secret-1"] });
  transcript.delta(`${"x".repeat(70_000)} planted-se`);
  transcript.delta("cret-1 and more");
  transcript.endMessage();
  expect(said.join("")).toMatch(/x \[redacted\] and more\n$/);
});

describe("the answer", () => {
  it("is the last message", () => {
    const { transcript } = open();
    expect(transcript.answer()).toBeUndefined();
    transcript.message("One.");
    transcript.message("Two.");
    transcript.message("  ");
    expect(transcript.answer()).toBe("Two.");
  });

  it("is what the tool says it is", () => {
    const { transcript } = open();
    transcript.message("One.");
    transcript.final("Final.");
    transcript.message("Two.");
    expect(transcript.answer()).toBe("Final.");
  });

  it("is not empty because the tool ends without repeating it", () => {
    const { transcript } = open();
    transcript.message("One.");
    transcript.final(" ");
    expect(transcript.answer()).toBe("One.");
    expect(transcript.ended).toBe(true);
  });

  it("is put together from pieces, which tools interrupt", () => {
    const { transcript } = open();
    transcript.delta("Half ");
    transcript.delta("one.");
    transcript.toolStarted({ id: "t", name: "bash" });
    transcript.delta("Half two.");
    transcript.endMessage();
    expect(transcript.answer()).toBe("Half two.");
  });

  it("does not grow beyond its limit, nor does what is kept on the way", () => {
    const { transcript } = open({ maxOutputBytes: 10 });
    for (let piece = 0; piece < 1_000; piece += 1) transcript.delta("0123456789");
    transcript.endMessage();
    expect(transcript.answer()).toBe("0123456789");
    expect(transcript.truncated).toBe(true);
  });

  it("hides a secret that its end would cut in two", () => {
    const { transcript } = open({ maxOutputBytes: 12, secrets: ["secret-0001"] });
    transcript.message("12345 secret-0001 67890");
    expect(transcript.answer()).toBe("12345 [redac");
  });
});

describe("what the agent says", () => {
  it("is passed on in whole lines", () => {
    const { transcript, said } = open();
    transcript.delta("one\ntw");
    transcript.delta("o\nthr");
    expect(said).toEqual(["one\n", "two\n"]);
    transcript.endMessage();
    expect(said.join("")).toBe("one\ntwo\nthr\n");
  });

  it("hides a secret that comes in pieces", () => {
    const { transcript, said, events } = open({ secrets: ["secret-0001"] });
    transcript.delta("it is secr");
    transcript.delta("et-0001.");
    transcript.endMessage();
    expect(JSON.stringify([said, events])).not.toContain("secr");
  });
});

describe("tools", () => {
  it("are reported by beginning and end", () => {
    const { transcript, events } = open();
    transcript.toolStarted({ id: "t", name: "bash", input: { command: "ls" } });
    transcript.toolDone({ id: "t", ok: true, output: "a" });
    expect(events.slice(1)).toEqual([
      {
        type: "action",
        engine: "pi",
        phase: "started",
        action: { id: "t", kind: "command", title: "bash", detail: { input: { command: "ls" } } },
        level: "info",
      },
      {
        type: "action",
        engine: "pi",
        phase: "completed",
        action: { id: "t", kind: "command", title: "bash" },
        message: "a",
        ok: true,
        level: "info",
      },
    ]);
  });

  it("may end without a beginning", () => {
    const { transcript, events } = open();
    transcript.toolDone({ id: "x", ok: false });
    transcript.toolDone({ id: "y", ok: true }, { name: "edit", title: "a.ts" });
    expect(events.slice(1)).toMatchObject([
      { action: { id: "x", kind: "tool", title: "tool" }, ok: false, level: "warning" },
      { action: { id: "y", kind: "file_change", title: "a.ts" }, ok: true },
    ]);
  });

  it("hide secrets in their input, names included, also where it is cut", () => {
    const { transcript, events } = open({ secrets: ["secret-0001"] });
    transcript.toolStarted({
      id: "t",
      name: "http",
      input: { "secret-0001": `${"x".repeat(4_080)}secret-0001` },
    });
    expect(JSON.stringify(events)).not.toContain("secret-0");
  });

  it("that never end do not pile up", () => {
    const { transcript, events } = open();
    for (let id = 0; id < 3_000; id += 1) transcript.toolStarted({ id: String(id), name: "bash" });
    transcript.toolDone({ id: "0", ok: true });
    expect(events.at(-1)).toMatchObject({ action: { id: "0", kind: "tool" } });
    transcript.toolDone({ id: "2999", ok: true });
    expect(events.at(-1)).toMatchObject({ action: { id: "2999", kind: "command" } });
  });
});

describe("tokens", () => {
  it("are summed, with the model that the tool named", () => {
    const { transcript } = open();
    transcript.model("m1");
    transcript.addUsage({ inputTokens: 1, outputTokens: 2 });
    transcript.addUsage({ inputTokens: 10, outputTokens: 20, cacheReadTokens: 5 });
    expect(transcript.tokens()).toEqual({
      inputTokens: 11,
      outputTokens: 22,
      cacheReadTokens: 5,
      model: "m1",
    });
  });

  it("are unknown when the tool does not count", () => {
    expect(open().transcript.tokens()).toBeUndefined();
  });
});

describe("failures", () => {
  it("end the call unless the agent recovers", () => {
    const { transcript } = open();
    transcript.fail({ message: "broken" });
    expect(transcript.failed).toBe(true);
    transcript.recovered();
    expect(transcript.failed).toBe(false);
  });

  it("stand behind the warnings that came before", () => {
    const { transcript } = open();
    for (let count = 1; count <= 30; count += 1) transcript.warn({ message: `warning ${count}` });
    transcript.fail({ message: "broken" });
    expect(transcript.complaints.at(-1)?.message).toBe("broken");
    expect(transcript.complaints.length).toBeLessThanOrEqual(21);
    expect(transcript.complaints.at(-2)?.message).toBe("warning 30");
  });
});

describe("the end", () => {
  it("sums up", () => {
    const { transcript, events } = open();
    transcript.session("s1");
    transcript.delta("Bye.");
    transcript.usage({ inputTokens: 1, outputTokens: 2 });
    transcript.completed({ ok: true });
    expect(events.at(-1)).toEqual({
      type: "completed",
      engine: "pi",
      ok: true,
      answer: "Bye.",
      resume: "s1",
      usage: { inputTokens: 1, outputTokens: 2 },
    });
  });

  it("has a beginning even when nothing happened", () => {
    const { transcript, events } = open();
    transcript.completed({ ok: false, error: "gone" });
    expect(events.map(({ type }) => type)).toEqual(["started", "completed"]);
  });
});
