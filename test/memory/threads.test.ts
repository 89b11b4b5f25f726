import { expect, it } from "vitest";
import { memoryInTest } from "./support/store.js";

const said = (text: string) => ({ role: "user", contentJson: JSON.stringify(text) });

it("a limit gives the newest messages, oldest first", async () => {
  const { memory, clock } = memoryInTest();
  const { threadId } = await memory.createThread("user:ada", "Orders");
  for (const text of ["one", "two", "three", "four"]) {
    clock.moveTo(clock.now() + 1);
    await memory.saveMessage({ threadId, ...said(text) });
  }
  const texts = async (limit?: number) =>
    (await memory.listMessages(threadId, limit)).map(({ contentJson }) => JSON.parse(contentJson) as string);
  expect(await texts(2)).toEqual(["three", "four"]);
  expect(await texts(0)).toEqual([]);
  expect(await texts(9)).toEqual(["one", "two", "three", "four"]);
  expect(await texts()).toEqual(["one", "two", "three", "four"]);
  expect(await memory.countMessages(threadId)).toBe(4);
});

it("messages of one moment keep the order in which they were saved", async () => {
  const { memory } = memoryInTest();
  const { threadId } = await memory.createThread("user:ada");
  for (const id of ["z", "a", "m"]) await memory.saveMessage({ id, threadId, ...said(id) });
  expect((await memory.listMessages(threadId, 2)).map(({ id }) => id)).toEqual(["a", "m"]);
});

it("a message of an id that is there takes its place", async () => {
  const { memory } = memoryInTest();
  const { threadId } = await memory.createThread("user:ada");
  const first = await memory.saveMessage({ threadId, ...said("one") });
  await memory.saveMessage({ threadId, ...said("two") });
  await memory.saveMessage({ ...first, contentJson: '"uno"', runId: "r", nodeId: "n" });
  expect(await memory.listMessages(threadId)).toMatchObject([
    { id: first.id, contentJson: '"uno"', runId: "r", nodeId: "n" },
    { contentJson: '"two"' },
  ]);
});

it("the id of a message of another thread is refused", async () => {
  const { memory } = memoryInTest();
  const [one, other] = [await memory.createThread("user:ada"), await memory.createThread("user:ada")];
  const { id } = await memory.saveMessage({ threadId: one.threadId, ...said("one") });
  await expect(memory.saveMessage({ id, threadId: other.threadId, ...said("two") })).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
  expect(await memory.countMessages(one.threadId)).toBe(1);
});

it("a thread that there is not takes no messages", async () => {
  const { memory } = memoryInTest();
  await expect(memory.saveMessage({ threadId: "t", ...said("one") })).rejects.toMatchObject({
    code: "MEMORY_THREAD_NOT_FOUND",
  });
  expect(await memory.getThread("t")).toBeUndefined();
});

it("a thread says whose it is and when it was written to last, and goes with its messages", async () => {
  const { memory, clock } = memoryInTest();
  const thread = await memory.createThread({ kind: "user", id: "ada" }, "Orders");
  const createdAtMs = clock.now();
  clock.moveTo(createdAtMs + 5);
  const { threadId } = thread;
  await memory.saveMessage({ threadId, ...said("one") });
  const expected = {
    threadId,
    namespace: "user:ada",
    title: "Orders",
    createdAtMs,
    updatedAtMs: createdAtMs + 5,
  };
  expect(await memory.getThread(threadId)).toEqual(expected);
  const { threadId: later } = await memory.createThread("global:g");
  expect((await memory.listThreads()).map((listed) => listed.threadId).sort()).toEqual(
    [threadId, later].sort(),
  );
  expect(await memory.listThreads("user:ada")).toEqual([expected]);
  expect(await memory.deleteThread(threadId)).toBe(true);
  expect(await memory.deleteThread(threadId)).toBe(false);
  expect(await memory.countMessages(threadId)).toBe(0);
});

it.each([
  ["content that is no JSON", { role: "user", contentJson: "{" }],
  ["content that is no text", { role: "user", contentJson: 7 as unknown as string }],
  ["content of more than a megabyte", { role: "user", contentJson: JSON.stringify("x".repeat(1_000_000)) }],
  ["no role", { role: "", contentJson: '""' }],
  ["a member that there is not", { role: "user", contentJson: '""', content: "x" } as never],
])("a message with %s is refused", async (_, message) => {
  const { memory } = memoryInTest();
  const { threadId } = await memory.createThread("user:ada");
  await expect(memory.saveMessage({ threadId, ...message })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  expect(await memory.countMessages(threadId)).toBe(0);
});

it("a limit that is no whole number is refused", async () => {
  const { memory } = memoryInTest();
  for (const limit of [-1, 1.5, Number.NaN]) {
    await expect(memory.listMessages("t", limit)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  }
});

it("the history of a thread is what agents take as messages", async () => {
  const { memory } = memoryInTest();
  const { threadId } = await memory.createThread("user:ada");
  const history = memory.messageHistory({ threadId, lastMessages: 2 });
  await history.append(
    { role: "user", content: "one" },
    { role: "assistant", content: [{ type: "text", text: "two" }] },
  );
  await history.append({ role: "user", content: "three" });
  expect(await history.load()).toEqual([
    { role: "assistant", content: [{ type: "text", text: "two" }] },
    { role: "user", content: "three" },
  ]);
});
