import { tool } from "ai";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { AnthropicAgent } from "../../../src/agents/sdk/anthropic-agent.js";
import { CompatAgent } from "../../../src/agents/sdk/compat-agent.js";
import { OpenAIAgent } from "../../../src/agents/sdk/openai-agent.js";
import type { SdkAgent } from "../../../src/agents/sdk/sdk-agent.js";
import type { SdkAgentOptions } from "../../../src/agents/sdk/sdk-options.js";
import type { AgentCliEvent } from "../../../src/model/agent.js";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server/index.js";

let server: ModelServer | undefined;

afterEach(async () => {
  vi.unstubAllEnvs();
  await server?.close();
  server = undefined;
});

type Extras = Omit<SdkAgentOptions, "model"> & { nativeStructuredOutput?: boolean };

/** Every protocol, by the agent that speaks it. */
const protocols: [protocol: string, create: (baseURL: string, extras: Extras) => SdkAgent][] = [
  [
    "anthropic",
    (baseURL, { nativeStructuredOutput: _always, ...extras }) => {
      vi.stubEnv("ANTHROPIC_API_KEY", "test-key");
      vi.stubEnv("ANTHROPIC_BASE_URL", baseURL);
      return new AnthropicAgent({ model: "claude-sonnet-4-5", ...extras });
    },
  ],
  [
    "openai-responses",
    (baseURL, extras) => {
      vi.stubEnv("OPENAI_API_KEY", "test-key");
      vi.stubEnv("OPENAI_BASE_URL", baseURL);
      return new OpenAIAgent({ model: "gpt-4.1", ...extras });
    },
  ],
  [
    "openai-chat",
    (baseURL, extras) => new OpenAIAgent({ model: "local", baseURL, apiKey: "none", ...extras }),
  ],
  ["openai-chat", (baseURL, extras) => new CompatAgent({ baseURL, nativeStructuredOutput: true, ...extras })],
];

describe.each(protocols)("%s", (protocol, create) => {
  async function start(script: Script, extras: Extras = {}): Promise<SdkAgent> {
    server = await startModelServer(script);
    return create(server.baseURL, extras);
  }
  const asked = () => server?.requests ?? [];

  it("is the protocol that is spoken, streaming", async () => {
    const agent = await start([{ text: "Hello." }]);
    const result = await agent.generate({ prompt: "Greet." });
    expect(result).toMatchObject({ text: "Hello.", finishReason: "stop" });
    expect(asked()).toMatchObject([{ protocol, streaming: true }]);
  });

  it("carries instructions, prompt and settings", async () => {
    const agent = await start([{ text: "ok" }], {
      instructions: "Be brief.",
      maxOutputTokens: 77,
      temperature: 0.25,
    });
    await agent.generate({ prompt: "What is it?" });
    const sent = JSON.stringify(asked()[0]?.body);
    for (const part of ["Be brief.", "What is it?", "77", "0.25"]) expect(sent).toContain(part);
  });

  it("carries messages, and the prompt behind them", async () => {
    const agent = await start([{ text: "ok" }]);
    const messages = [
      { role: "user", content: "first" },
      { role: "assistant", content: "second" },
    ];
    await agent.generate({ messages, prompt: "third" });
    expect(JSON.stringify(asked()[0]?.body)).toMatch(/first.*second.*third/);
  });

  it("reports the tokens of the call with cached and reasoning parts", async () => {
    const usage = { input: 100, output: 40, cacheRead: 60, cacheWrite: 0, reasoning: 0 };
    const agent = await start([{ text: "ok", usage }]);
    const { usage: reported } = await agent.generate({ prompt: "p" });
    expect(reported).toMatchObject({
      inputTokens: 100,
      outputTokens: 40,
      cacheReadTokens: 60,
      model: agent.model,
    });
  });

  it("streams the text as it comes", async () => {
    let release = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    const agent = await start([{ text: "one\ntwo\nthree four", piece: 4, pause: { afterEvents: 4, until } }]);
    const heard: string[] = [];
    const result = await agent.generate({
      prompt: "Count.",
      onStdout(text) {
        heard.push(text);
        release();
      },
    });
    // The server waits for the first line to arrive before it sends the rest.
    expect(heard.length).toBeGreaterThan(1);
    expect(heard.join("")).toBe("one\ntwo\nthree four");
    expect(result.text).toBe("one\ntwo\nthree four");
  });

  it("runs tools and adds their results to the conversation", async () => {
    const seen: unknown[] = [];
    const agent = await start(
      [
        {
          text: "Let me look.",
          toolCalls: [{ name: "weather", input: { city: "Oslo" } }],
          usage: { input: 10, output: 3 },
        },
        { text: "It rains.", usage: { input: 20, output: 4 } },
      ],
      {
        tools: {
          weather: tool({
            description: "Weather of a city",
            inputSchema: z.object({ city: z.string() }),
            execute: async (input) => {
              seen.push(input);
              return { sky: "rain-marker" };
            },
          }),
        },
      },
    );
    const result = await agent.generate({ prompt: "Weather in Oslo?" });
    expect(seen).toEqual([{ city: "Oslo" }]);
    expect(asked()[0]?.tools).toEqual(["weather"]);
    expect(JSON.stringify(asked()[1]?.body)).toContain("rain-marker");
    expect(result).toMatchObject({
      text: "It rains.",
      steps: [{ text: "Let me look." }, { text: "It rains." }],
      usage: { inputTokens: 30, outputTokens: 7 },
    });
  });

  it("returns an object that the schema went to the provider for", async () => {
    const agent = await start([{ object: { title: "x" } }]);
    const outputSchema = z.object({ title: z.string().describe("title-marker") });
    const result = await agent.generate({ prompt: "p", outputSchema });
    expect(result).toMatchObject({ output: { title: "x" }, mode: "native" });
    const sent = JSON.stringify(asked()[0]?.body);
    expect(sent).toContain("title-marker");
    expect(sent).not.toContain("Answer with one bare JSON object");
  });

  it("reports what happens as agent events", async () => {
    const agent = await start([{ toolCalls: [{ name: "add", input: { a: 1 } }] }, { text: "Two." }], {
      id: "adder",
      tools: { add: tool({ inputSchema: z.object({ a: z.number() }), execute: ({ a }) => a + 1 }) },
    });
    const events: AgentCliEvent[] = [];
    await agent.generate({ prompt: "1+1?", onEvent: (event) => events.push(event) });
    const shown = events.map((event) =>
      event.type === "action" ? `${event.action.kind} ${event.phase} ${event.action.title}` : event.type,
    );
    expect(shown).toEqual([
      "started",
      "turn started step 1",
      "tool started add",
      "tool completed add",
      "turn completed step 1",
      "turn started step 2",
      "note completed message",
      "turn completed step 2",
      "completed",
    ]);
    expect(events[0]).toMatchObject({ engine: agent.engine, title: "adder" });
    expect(events[2]).toMatchObject({ action: { detail: { input: { a: 1 } } } });
    expect(events[3]).toMatchObject({ ok: true, action: { detail: { output: 2 } } });
    expect(events[6]).toMatchObject({ entryType: "message", message: "Two." });
    expect(events.at(-1)).toMatchObject({
      ok: true,
      answer: "Two.",
      usage: { inputTokens: 20, outputTokens: 10 },
    });
  });
});
