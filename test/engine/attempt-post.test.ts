import { describe, expect, it } from "vitest";
import { AttemptPost } from "../../src/engine/attempt/attempt-post.js";
import { Mailbox } from "../../src/engine/session/mailbox.js";
import type { AttemptEventBody } from "../../src/engine/ports.js";
import type { Message } from "../../src/engine/session/session.js";
import { taskKey } from "../../src/model/address.js";
import { systemClock } from "../../src/util/clock.js";

const log = (post: AttemptPost, body: AttemptEventBody) => post.report({ type: "event", body });

const address = { nodeId: "a", iteration: 0, attempt: 1 } as const;

function open(maxOutputBytes?: number) {
  const mailbox = new Mailbox<Message>(systemClock);
  const post = new AttemptPost(mailbox, {
    key: taskKey(address),
    attempt: 1,
    maxOutputBytes,
    crash: undefined,
    hold: { confirm: () => true },
    onExit: () => {},
  });
  return {
    post,
    messages: () => mailbox.next(),
    print(text: string, stream: "stdout" | "stderr" = "stdout") {
      log(post, { type: "NodeOutput", ...address, text, stream });
    },
    say: (title: string) =>
      log(post, {
        type: "AgentEvent",
        ...address,
        engine: "e",
        event: { type: "action", phase: "completed", entryType: "message", action: { title } },
      }),
  };
}

/** Events among the messages: output as `stream:text`, the others by their type. */
function logged(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => {
    if (message.type !== "attempt-event") return [];
    const { body } = message;
    return [body.type === "NodeOutput" ? `${body.stream}:${body.text}` : body.type];
  });
}

describe("what an attempt reports between two turns", () => {
  it("puts consecutive output of one stream into one event", async () => {
    const { print, messages } = open();
    for (const text of ["a\n", "b\n"]) print(text);
    print("oh\n", "stderr");
    print("c\n");
    expect(logged(await messages())).toEqual(["stdout:a\nb\n", "stderr:oh\n", "stdout:c\n"]);
  });

  it("keeps the order of output and other events", async () => {
    const { post, print, messages } = open();
    print("before");
    log(post, { type: "StructuredOutputDowngraded", ...address, mode: "prompted" });
    print("after");
    const expected = ["stdout:before", "StructuredOutputDowngraded", "stdout:after"];
    expect(logged(await messages())).toEqual(expected);
  });

  it("adds nothing to an event that has been handed out", async () => {
    const { print, messages } = open();
    print("first");
    const first = await messages();
    print("second");
    expect(logged(await messages())).toEqual(["stdout:second"]);
    expect(logged(first)).toEqual(["stdout:first"]);
  });

  it("leaves the caller's event as it is", async () => {
    const { post, messages } = open();
    const event = { type: "NodeOutput", ...address, text: "x", stream: "stdout" } as const;
    post.report({ type: "event", body: event });
    post.report({ type: "event", body: event });
    expect(event.text).toBe("x");
    expect(logged(await messages())).toEqual(["stdout:xx"]);
  });

  it("is one sign of life, and every checkpoint", async () => {
    const { post, messages } = open();
    post.report({ type: "heartbeat" });
    post.report({ type: "heartbeat" });
    post.report({ type: "heartbeat", json: "1" });
    post.report({ type: "heartbeat", json: "2" });
    const beats = (await messages()).filter((message) => message.type === "heartbeat");
    expect(beats.map((beat) => beat.json)).toEqual([undefined, "1", "2"]);
  });

  it("is split into events of moderate size", async () => {
    const { print, messages } = open();
    const line = "x".repeat(1_000);
    for (let at = 0; at < 100; at += 1) print(line);
    const texts = logged(await messages());
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.length).toBeLessThan(10);
  });
});

describe("output beyond the limit", () => {
  it("is cut at a character, noted once, and dropped from then on", async () => {
    const { post, print, messages } = open(5);
    print("ééé");
    print("more");
    const note = "stderr:\n[output truncated: the limit is 5 bytes]\n";
    expect(logged(await messages())).toEqual(["stdout:éé", note]);
    print("even more");
    print("errors", "stderr");
    log(post, { type: "StructuredOutputDowngraded", ...address, mode: "prompted" });
    expect(logged(await messages())).toEqual(["StructuredOutputDowngraded"]);
  });

  it("is cut after a line for each 20 bytes of the limit, at the end of a line", async () => {
    const { print, messages } = open(60);
    print("1\n2\n");
    print("3\n4\n5");
    print("6\n");
    const note = "stderr:\n[output truncated: the limit is 3 lines]\n";
    expect(logged(await messages())).toEqual(["stdout:1\n2\n3\n", note]);
  });

  it("is 200000 bytes when the run does not say", async () => {
    const { print, messages } = open();
    print("x".repeat(200_000));
    print("y");
    const [kept, note, ...rest] = logged(await messages());
    expect(kept).toHaveLength("stdout:".length + 200_000);
    expect(note).toContain("the limit is 200000 bytes");
    expect(rest).toEqual([]);
  });

  it("does not count against what the agent is heard saying, and the other way round", async () => {
    const { print, say, messages } = open(400);
    print("x".repeat(400));
    say("one");
    expect(logged(await messages())).toEqual([`stdout:${"x".repeat(400)}`, "AgentEvent"]);
    for (let at = 0; at < 50; at += 1) say("again");
    const types = logged(await messages());
    expect(types.filter((type) => type === "AgentEvent").length).toBeLessThan(5);
    expect(types.filter((type) => type.includes("truncated"))).toHaveLength(1);
  });

  it("does not hide the steps that the agent takes", async () => {
    const { post, say, messages } = open(10);
    say("too long for the limit");
    for (const type of ["started", "completed"]) {
      log(post, { type: "AgentEvent", ...address, engine: "e", event: { type } });
    }
    const action = { id: "1", kind: "tool", title: "read" };
    log(post, {
      type: "AgentEvent",
      ...address,
      engine: "e",
      event: { type: "action", phase: "completed", action },
    });
    expect(logged(await messages()).filter((type) => type === "AgentEvent")).toHaveLength(3);
  });
});
