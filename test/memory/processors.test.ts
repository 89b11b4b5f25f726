import { expect, it } from "vitest";
import type { AgentGenerateOptions, AgentLike } from "../../src/model/agent.js";
import type { MemoryStore } from "../../src/memory/memory-store.js";
import { summarizer } from "../../src/memory/processors/summarizer.js";
import { tokenLimiter } from "../../src/memory/processors/token-limiter.js";
import { memoryInTest } from "./support/store.js";

async function conversation(memory: MemoryStore, ...texts: string[]): Promise<string> {
  const { threadId } = await memory.createThread("user:ada");
  for (const text of texts)
    await memory.saveMessage({ threadId, role: "user", contentJson: JSON.stringify(text) });
  return threadId;
}

async function texts(memory: MemoryStore, threadId: string): Promise<unknown[]> {
  return (await memory.listMessages(threadId)).map(({ contentJson }) => JSON.parse(contentJson) as unknown);
}

it("the token limiter takes the oldest messages away, four characters a token", async () => {
  const { memory } = memoryInTest({ processors: [tokenLimiter({ maxTokens: 2 })] });
  const [long, short] = [
    await conversation(memory, "aaaa", "bbbb", "cccc"),
    await conversation(memory, "dddddddd"),
  ];
  expect(await memory.runProcessors()).toEqual([{ name: "token-limiter", removed: 1 }]);
  expect(await texts(memory, long)).toEqual(["bbbb", "cccc"]);
  expect(await texts(memory, short)).toEqual(["dddddddd"]);
});

it("the token limiter keeps to its thread or namespace", async () => {
  const { memory: other } = memoryInTest();
  const threadId = await conversation(other, "aaaaaaaa");
  const run = (options: object) => tokenLimiter({ maxTokens: 1, ...options }).process(other);
  expect(await run({ namespace: "user:bob" })).toBe(0);
  expect(await run({ threadId: "another" })).toBe(0);
  expect(await run({ namespace: "user:ada" })).toBe(1);
  expect(await texts(other, threadId)).toEqual([]);
});

it.each([[{}], [{ maxTokens: -1 }], [{ maxTokens: Number.POSITIVE_INFINITY }]])(
  "tokenLimiter refuses %j",
  (wrong) => {
    expect(() => tokenLimiter(wrong as never)).toThrow(/maxTokens/);
  },
);

function agentThatSays(answer: unknown): AgentLike & { prompts: string[] } {
  const prompts: string[] = [];
  return {
    prompts,
    async generate({ prompt = "" }: AgentGenerateOptions = {}) {
      prompts.push(prompt);
      return answer;
    },
  };
}

it("the summarizer puts a summary in the place of all but the newest messages", async () => {
  const agent = agentThatSays({ text: "They spoke of tea." });
  const { memory } = memoryInTest({ processors: [summarizer({ agent })] });
  const threadId = await conversation(memory, "one", "two", "three", "four");
  await conversation(memory, "short", "enough");
  expect(await memory.runProcessors()).toEqual([{ name: "summarizer", removed: 1 }]);
  expect(agent.prompts).toHaveLength(1);
  expect(agent.prompts[0]).toContain("USER:\none\n\nUSER:\ntwo");
  expect(await texts(memory, threadId)).toEqual([
    "Summary of what was said before:\nThey spoke of tea.",
    "three",
    "four",
  ]);
  expect((await memory.listMessages(threadId))[0]).toMatchObject({ role: "system" });
});

it("a thread that another process has summed up meanwhile is left as it is", async () => {
  const { memory } = memoryInTest();
  const threadId = await conversation(memory, "one", "two", "three", "four");
  const [first] = await memory.listMessages(threadId);
  const agent: AgentLike = {
    async generate() {
      await memory.replaceMessages(threadId, [first?.id ?? ""]);
      return "late";
    },
  };
  expect(await summarizer({ agent }).process(memory)).toBe(0);
  expect(await texts(memory, threadId)).toEqual(["two", "three", "four"]);
});

it("an agent that fails or says nothing takes nothing away", async () => {
  const { memory } = memoryInTest();
  const threadId = await conversation(memory, "one", "two", "three", "four");
  await expect(summarizer({ agent: agentThatSays("  ") }).process(memory)).rejects.toMatchObject({
    code: "INVALID_OUTPUT",
  });
  const broken: AgentLike = { generate: () => Promise.reject(new Error("no")) };
  await expect(summarizer({ agent: broken }).process(memory)).rejects.toThrow("no");
  expect(await memory.countMessages(threadId)).toBe(4);
});

it("processors run by name, and an unknown one keeps all of them from running", async () => {
  const { memory } = memoryInTest({ processors: [tokenLimiter({ maxTokens: 0 })] });
  const threadId = await conversation(memory, "one");
  const wrong = memory.runProcessors({ processors: ["token-limiter", "summariser"] });
  await expect(wrong).rejects.toMatchObject({ code: "INVALID_INPUT" });
  expect(await memory.countMessages(threadId)).toBe(1);
  expect(await memory.runProcessors({ processors: [] })).toEqual([]);
});
