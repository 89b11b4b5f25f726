import { createAnthropic } from "@ai-sdk/anthropic";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { AnthropicAgent } from "../../../src/agents/sdk/anthropic-agent.js";
import { CompatAgent } from "../../../src/agents/sdk/compat-agent.js";
import { OpenAIAgent } from "../../../src/agents/sdk/openai-agent.js";
import type { SdkAgent } from "../../../src/agents/sdk/sdk-agent.js";
import { generateStructured } from "../../../src/agents/structured/generate-structured.js";
import { serializeError } from "../../../src/errors/ensure-error.js";
import { type ModelServer, startModelServer } from "../../support/model-server/index.js";

const SECRET = "planted-secret-0123456789";

let server: ModelServer | undefined;

afterEach(async () => {
  vi.unstubAllEnvs();
  await server?.close();
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
    expect(JSON.stringify(server?.requests[0]?.headers)).toContain(SECRET);
  });

  it.each([400, 401, 429, 500])("appears nowhere after HTTP %i", async (status) => {
    expect(await traces(status)).not.toContain(SECRET);
  });
});

/** What a page of a proxy, or the text of a model, may repeat: the address that was asked for. */
const ADDRESSES: [where: string, address: (baseURL: string) => string][] = [
  ["a parameter", (baseURL) => `${baseURL}/v1?key=${SECRET}`],
  ["a password", (baseURL) => baseURL.replace("//", `//user:${SECRET}@`)],
  ["a short password", (baseURL) => baseURL.replace("//", "//someone:hun7er@")],
  ["a user alone", (baseURL) => baseURL.replace("//", `//${SECRET}@`)],
];
const KINDS: [kind: string, create: (baseURL: string) => SdkAgent][] = [
  ["OpenAIAgent", (baseURL) => new OpenAIAgent({ model: "m", baseURL, apiKey: "none" })],
  ["CompatAgent", (baseURL) => new CompatAgent({ baseURL })],
  [
    "OPENAI_BASE_URL",
    (baseURL) => {
      vi.stubEnv("OPENAI_BASE_URL", baseURL);
      return new OpenAIAgent({ model: "m", apiKey: "none" });
    },
  ],
  [
    "COMPAT_BASE_URL",
    (baseURL) => {
      vi.stubEnv("COMPAT_BASE_URL", baseURL);
      return new CompatAgent();
    },
  ],
  [
    "ANTHROPIC_BASE_URL",
    (baseURL) => {
      vi.stubEnv("ANTHROPIC_BASE_URL", baseURL);
      vi.stubEnv("ANTHROPIC_API_KEY", "none");
      return new AnthropicAgent({ model: "claude-sonnet-4-5" });
    },
  ],
];

describe.each(KINDS)("the address of %s", (_kind, create) => {
  it.each(ADDRESSES)("shows no secret in errors and events: %s", async (_where, address) => {
    const echo = createServer(({ url }, response) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ error: { message: `Refused: ${url} with ${SECRET} of someone:hun7er` } }),
      );
    });
    await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void echo.close());
    const baseURL = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
    const written: unknown[] = [];
    const args = { prompt: "p", onEvent: (event: unknown) => written.push(event) };
    const failure = (await create(address(baseURL))
      .generate(args)
      .catch((error: unknown) => error)) as Error;
    expect(failure).toBeInstanceOf(Error);
    const told = JSON.stringify([
      written,
      serializeError(failure, "/"),
      failure.stack,
      String(failure.cause),
    ]);
    expect(told).not.toContain(_where === "a short password" ? "hun7er" : SECRET);
  });
});
