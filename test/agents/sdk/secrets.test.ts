import { createAnthropic } from "@ai-sdk/anthropic";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { AnthropicAgent } from "../../../src/agents/sdk/anthropic-agent.js";
import { CompatAgent } from "../../../src/agents/sdk/compat-agent.js";
import { OpenAIAgent } from "../../../src/agents/sdk/openai-agent.js";
import type { SdkAgent } from "../../../src/agents/sdk/sdk-agent.js";
import { generateStructured } from "../../../src/agents/structured/generate-structured.js";
import { serializeError } from "../../../src/errors/ensure-error.js";
import { type ModelServer, startModelServer } from "../../support/model-server/index.js";

const SECRET = "planted-secret-0123456789";

let server: ModelServer;

afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

/** Every way to hand a key to an SDK agent. */
const plantings: [name: string, create: (baseURL: string) => SdkAgent][] = [
  [
    "ANTHROPIC_API_KEY",
    (baseURL) => {
      vi.stubEnv("ANTHROPIC_BASE_URL", baseURL);
      vi.stubEnv("ANTHROPIC_API_KEY", SECRET);
      return new AnthropicAgent({ model: "claude-sonnet-4-5" });
    },
  ],
  [
    "OPENAI_API_KEY",
    (baseURL) => {
      vi.stubEnv("OPENAI_BASE_URL", baseURL);
      vi.stubEnv("OPENAI_API_KEY", SECRET);
      return new OpenAIAgent({ model: "gpt-4.1" });
    },
  ],
  ["the apiKey of OpenAIAgent", (baseURL) => new OpenAIAgent({ model: "m", baseURL, apiKey: SECRET })],
  ["the apiKey of CompatAgent", (baseURL) => new CompatAgent({ baseURL, apiKey: SECRET })],
  [
    "COMPAT_API_KEY",
    (baseURL) => {
      vi.stubEnv("COMPAT_API_KEY", SECRET);
      return new CompatAgent({ baseURL });
    },
  ],
  [
    "a header of the settings",
    (baseURL) => new CompatAgent({ baseURL, headers: { authorization: `Bearer ${SECRET}` } }),
  ],
  ["a header of one's own", (baseURL) => new CompatAgent({ baseURL, headers: { "x-proxy-key": SECRET } })],
  [
    "a model instance",
    (baseURL) =>
      new AnthropicAgent({ model: createAnthropic({ baseURL, apiKey: SECRET })("claude-sonnet-4-5") }),
  ],
];

const schema = z.object({ title: z.string() });

describe.each(plantings)("a key in %s", (_name, create) => {
  /** All that a caller could log, store or show. */
  async function traces(status: number): Promise<string> {
    // A server that echoes what it got, as some proxies do.
    server = await startModelServer(({ headers }) => ({
      status,
      message: `Refused: ${(headers["x-proxy-key"] ?? headers["x-api-key"] ?? headers["authorization"])?.replace("Bearer ", "")}`,
    }));
    const written: unknown[] = [];
    const agent = create(server.baseURL);
    const failure = await generateStructured({
      agent,
      prompt: "p",
      schema,
      args: {
        onEvent: (event) => written.push(event),
        onStdout: (text) => written.push(text),
        onStderr: (text) => written.push(text),
      },
    }).catch((error: unknown) => error);
    const { stack, cause } = failure as Error;
    return JSON.stringify([written, serializeError(failure), stack, String(cause), agent]);
  }

  it("reaches the provider", async () => {
    await traces(401);
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(SECRET);
  });

  it.each([400, 401, 429, 500])("appears nowhere after HTTP %i", async (status) => {
    expect(await traces(status)).not.toContain(SECRET);
  });
});
