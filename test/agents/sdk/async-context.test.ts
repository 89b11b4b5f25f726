import { AsyncLocalStorage } from "node:async_hooks";
import { tool } from "ai";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { AnthropicAgent } from "../../../src/agents/sdk/anthropic-agent.js";
import { CompatAgent } from "../../../src/agents/sdk/compat-agent.js";
import { OpenAIAgent } from "../../../src/agents/sdk/openai-agent.js";
import type { SdkAgent } from "../../../src/agents/sdk/sdk-agent.js";
import type { SdkAgentOptions } from "../../../src/agents/sdk/sdk-options.js";
import { type ModelServer, startModelServer } from "../../support/model-server/index.js";

type Extras = Omit<SdkAgentOptions, "model">;

const agents: [name: string, create: (baseURL: string, extras: Extras) => SdkAgent][] = [
  [
    "AnthropicAgent",
    (baseURL, extras) => {
      vi.stubEnv("ANTHROPIC_API_KEY", "test-key");
      vi.stubEnv("ANTHROPIC_BASE_URL", baseURL);
      return new AnthropicAgent({ model: "claude-sonnet-4-5", ...extras });
    },
  ],
  [
    "OpenAIAgent",
    (baseURL, extras) => {
      vi.stubEnv("OPENAI_API_KEY", "test-key");
      vi.stubEnv("OPENAI_BASE_URL", baseURL);
      return new OpenAIAgent({ model: "gpt-4.1", ...extras });
    },
  ],
  ["CompatAgent", (baseURL, extras) => new CompatAgent({ baseURL, ...extras })],
];

let server: ModelServer;

afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

describe.each(agents)("%s", (_name, create) => {
  it("runs tools in the asynchronous context of the call, two calls at a time", async () => {
    const look = { toolCalls: [{ name: "where", input: {} }] };
    server = await startModelServer(({ body }) => {
      const results = JSON.stringify(body).match(/"role":"tool"|"tool_result"|"function_call_output"/g) ?? [];
      return results.length < 2 ? look : { text: "Done." };
    });
    const place = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const where = tool({
      inputSchema: z.object({}),
      execute: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        seen.push(place.getStore());
        return "here";
      },
    });
    const agent = create(server.baseURL, { tools: { where } });
    await Promise.all(
      ["first", "second"].map((name) => place.run(name, () => agent.generate({ prompt: name }))),
    );
    expect(seen.sort()).toEqual(["first", "first", "second", "second"]);
  });
});
