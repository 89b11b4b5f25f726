import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { createDemoAgent } from "../../../src/agents/demo/demo-agent.js";
import { AnthropicAgent } from "../../../src/agents/sdk/anthropic-agent.js";
import { CompatAgent } from "../../../src/agents/sdk/compat-agent.js";
import { OpenAIAgent } from "../../../src/agents/sdk/openai-agent.js";
import { generateStructured } from "../../../src/agents/structured/generate-structured.js";
import type { AgentCliEvent, AgentGenerateOptions, AgentLike } from "../../../src/model/agent.js";
import { type ModelServer, startModelServer } from "../../support/model-server/index.js";

const schema = z.object({ title: z.string() });
const object = { title: "Demo title" };

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer(() => ({ object }));
  vi.stubEnv("ANTHROPIC_API_KEY", "test-key");
  vi.stubEnv("ANTHROPIC_BASE_URL", server.baseURL);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

/** What holds for every agent that runs in this process. */
const agents: [name: string, create: () => AgentLike][] = [
  ["AnthropicAgent", () => new AnthropicAgent({ model: "claude-sonnet-4-5" })],
  ["OpenAIAgent", () => new OpenAIAgent({ model: "m", baseURL: server.baseURL, apiKey: "none" })],
  ["CompatAgent", () => new CompatAgent({ baseURL: server.baseURL })],
  ["DemoAgent", () => createDemoAgent()],
];

describe.each(agents)("%s", (_name, create) => {
  async function events(args: AgentGenerateOptions): Promise<AgentCliEvent[]> {
    const heard: AgentCliEvent[] = [];
    await create()
      .generate({ ...args, onEvent: (event) => heard.push(event) })
      .catch(() => {});
    return heard;
  }

  it("has an id that its errors and events can name", () => {
    expect(create().id).toMatch(/\S/);
  });

  it("checks itself without asking the model anything", async () => {
    await create().preflight?.();
    expect(server.requests).toHaveLength(0);
  });

  it("answers a schema and reports its tokens", async () => {
    const result = await generateStructured({ agent: create(), prompt: "p", schema });
    expect(result.row).toEqual(object);
    expect(result.calls).toHaveLength(1);
    expect(result.calls[0]?.usage).toMatchObject({
      inputTokens: expect.any(Number),
      outputTokens: expect.any(Number),
      model: expect.any(String),
    });
  });

  it("starts with one event and ends with another, with the same engine in all", async () => {
    const heard = await events({ prompt: "p", outputSchema: schema });
    const ends = heard.filter((event) => event.type !== "action").map((event) => event.type);
    expect(ends).toEqual(["started", "completed"]);
    expect([heard[0]?.type, heard.at(-1)?.type]).toEqual(["started", "completed"]);
    expect(new Set(heard.map((event) => event.engine)).size).toBe(1);
  });

  it("writes the text of its answer to onStdout", async () => {
    const heard: string[] = [];
    const onStdout = (text: string) => heard.push(text);
    const result = await create().generate({ prompt: "p", outputSchema: schema, onStdout });
    expect(heard.join("")).toBe((result as { text: string }).text);
  });

  it("takes two calls at a time and keeps them apart", async () => {
    const agent = create();
    const ask = () => generateStructured({ agent, prompt: "p", schema });
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(first.row).toEqual(second.row);
    expect(first.calls).toEqual(second.calls);
  });

  it("rejects with the reason of a signal that has fired", async () => {
    const reason = new Error("cancelled");
    const call = create().generate({ prompt: "p", abortSignal: AbortSignal.abort(reason) });
    await expect(call).rejects.toBe(reason);
    expect(server.requests).toHaveLength(0);
  });
});
