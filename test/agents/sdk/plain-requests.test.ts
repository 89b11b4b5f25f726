import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { type LanguageModel, Output, ToolLoopAgent, tool } from "ai";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { generateStructured } from "../../../src/agents/structured/generate-structured.js";
import { type ModelServer, startModelServer } from "../../support/model-server/index.js";

const schema = z.object({ title: z.string() });
const object = { title: "x" };
const usage = { input: 50, output: 9, cacheRead: 30 };
const apiKey = "test-key";

let server: ModelServer;

afterEach(() => server.close());

const models: [protocol: string, create: (baseURL: string) => LanguageModel][] = [
  ["anthropic", (baseURL) => createAnthropic({ baseURL, apiKey })("claude-sonnet-4-5")],
  ["openai-responses", (baseURL) => createOpenAI({ baseURL, apiKey }).responses("gpt-4.1")],
  ["openai-chat", (baseURL) => createOpenAI({ baseURL, apiKey }).chat("gpt-4.1")],
];

/** `generate` of a bare ToolLoopAgent asks for answers in one piece. */
describe.each(models)("a bare ToolLoopAgent that speaks %s", (protocol, create) => {
  it("runs its tools, answers the schema and has its tokens counted", async () => {
    server = await startModelServer([
      { text: "Looking.", toolCalls: [{ name: "look", input: { at: "sky" } }], usage },
      { object, usage },
    ]);
    const seen: unknown[] = [];
    const look = tool({
      inputSchema: z.object({ at: z.string() }),
      execute: async (input) => {
        seen.push(input);
        return "blue-marker";
      },
    });
    const agent = new ToolLoopAgent({ model: create(server.baseURL), tools: { look } });
    const result = await generateStructured({ agent, prompt: "p", schema });
    expect(result).toMatchObject({ row: object, mode: "prompted" });
    expect(seen).toEqual([{ at: "sky" }]);
    expect(result.calls[0]?.usage).toMatchObject({ inputTokens: 100, outputTokens: 18, cacheReadTokens: 60 });
    expect(server.requests).toMatchObject([
      { protocol, streaming: false },
      { protocol, streaming: false },
    ]);
    expect(JSON.stringify(server.requests[1]?.body)).toContain("blue-marker");
  });

  it("brings a schema of its own", async () => {
    server = await startModelServer([{ object }]);
    const agent = new ToolLoopAgent({ model: create(server.baseURL), output: Output.object({ schema }) });
    expect((await generateStructured({ agent, prompt: "p", schema })).row).toEqual(object);
  });

  it("has its provider's limits recognised", async () => {
    const limit = { status: 429, message: "Slow down", headers: { "retry-after": "7" } };
    server = await startModelServer([limit]);
    const agent = new ToolLoopAgent({ id: "bare", model: create(server.baseURL), maxRetries: 0 });
    await expect(generateStructured({ agent, prompt: "p", schema })).rejects.toMatchObject({
      code: "AGENT_QUOTA_EXCEEDED",
      details: { agentId: "bare", status: 429, resetAtMs: expect.any(Number) },
    });
  });
});
