import { tool } from "ai";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { AnthropicAgent } from "../../../src/agents/sdk/anthropic-agent.js";
import { CompatAgent } from "../../../src/agents/sdk/compat-agent.js";
import { OpenAIAgent } from "../../../src/agents/sdk/openai-agent.js";
import type { SdkAgent } from "../../../src/agents/sdk/sdk-agent.js";
import { isRetryable, serializeError } from "../../../src/errors/ensure-error.js";
import { ServiceError } from "../../../src/errors/service-error.js";
import type { AgentCliEvent, AgentGenerateOptions } from "../../../src/model/agent.js";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server/index.js";

let server: ModelServer;

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await server.close();
});

const agents: [protocol: string, create: (baseURL: string) => SdkAgent][] = [
  [
    "anthropic",
    (baseURL) => {
      vi.stubEnv("ANTHROPIC_API_KEY", "test-key");
      vi.stubEnv("ANTHROPIC_BASE_URL", baseURL);
      return new AnthropicAgent({ model: "claude-sonnet-4-5", id: "a1" });
    },
  ],
  [
    "openai-responses",
    (baseURL) => {
      vi.stubEnv("OPENAI_API_KEY", "test-key");
      vi.stubEnv("OPENAI_BASE_URL", baseURL);
      return new OpenAIAgent({ model: "gpt-4.1", id: "a1" });
    },
  ],
  ["openai-chat", (baseURL) => new CompatAgent({ baseURL, id: "a1" })],
];

async function failureOf(agent: SdkAgent, args: AgentGenerateOptions = {}): Promise<ServiceError> {
  const failure: unknown = await agent.generate({ prompt: "p", ...args }).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(ServiceError.is(failure)).toBe(true);
  return failure as ServiceError;
}

describe.each(agents)("%s", (_protocol, create) => {
  async function start(script: Script): Promise<SdkAgent> {
    server = await startModelServer(script);
    return create(server.baseURL);
  }

  it("a rate limit is a quota error that says when it ends", async () => {
    const now = Date.parse("2026-05-06T07:08:09Z");
    vi.spyOn(Date, "now").mockReturnValue(now);
    const agent = await start([{ status: 429, message: "Slow down", headers: { "retry-after": "90" } }]);
    const failure = await failureOf(agent);
    expect(failure.code).toBe("AGENT_QUOTA_EXCEEDED");
    expect(failure.details).toEqual({ agentId: "a1", status: 429, resetAtMs: now + 90_000 });
    expect(failure.summary).toContain('Agent "a1" has reached its provider\'s limit (HTTP 429): ');
    expect(failure.summary).toContain("Slow down");
  });

  it("an empty account is a quota error, whatever its status", async () => {
    const agent = await start([{ status: 402, message: "Payment required" }]);
    expect((await failureOf(agent)).code).toBe("AGENT_QUOTA_EXCEEDED");
  });

  it.each([401, 403, 404])("HTTP %i is a mistake of the configuration and not retried", async (status) => {
    const agent = await start([{ status, message: "No." }]);
    const failure = await failureOf(agent);
    expect(failure.code).toBe("AGENT_CONFIG_INVALID");
    expect(isRetryable(serializeError(failure))).toBe(false);
  });

  it.each([400, 413, 422])("HTTP %i is refused again every time, so it is not retried", async (status) => {
    const agent = await start([{ status, message: "No." }]);
    const failure = await failureOf(agent);
    expect(failure.code).toBe("AGENT_PROVIDER_ERROR");
    expect(isRetryable(serializeError(failure))).toBe(false);
  });

  it.each([408, 500, 503, 529])("HTTP %i may pass, so it is retried", async (status) => {
    const agent = await start([{ status, message: "Busy." }]);
    const failure = await failureOf(agent);
    expect(failure.code).toBe("AGENT_PROVIDER_ERROR");
    expect(failure.details).toMatchObject({ status });
    expect(isRetryable(serializeError(failure))).toBe(true);
  });

  it("a model that the provider does not know is a mistake of the configuration, whatever its status", async () => {
    const type = "model_not_found";
    const agent = await start([{ status: 400, type, message: "The model `m` does not exist" }]);
    expect((await failureOf(agent)).code).toBe("AGENT_CONFIG_INVALID");
  });

  it.each([
    ["authentication_error", "AGENT_CONFIG_INVALID"],
    ["not_found_error", "AGENT_CONFIG_INVALID"],
    ["rate_limit_error", "AGENT_QUOTA_EXCEEDED"],
    ["overloaded_error", "AGENT_PROVIDER_ERROR"],
  ])("an error as the first event of a stream counts as what it is: %s", async (type, code) => {
    const agent = await start([{ text: "never", failAfter: { events: 0, type, message: "No." } }]);
    expect((await failureOf(agent)).code).toBe(code);
  });

  it("a refusal of the model is no answer, and is not asked for again", async () => {
    const agent = await start([{ text: "I cannot help with that.", finish: "refusal" }]);
    const failure = await failureOf(agent);
    expect(failure.code).toBe("AGENT_REFUSED");
    expect(failure.summary).toContain("I cannot help with that.");
    expect(isRetryable(serializeError(failure))).toBe(false);
  });

  it("its address works with and without the version", async () => {
    server = await startModelServer([{ text: "hello" }, { text: "hello" }]);
    for (const baseURL of [server.baseURL, server.baseURL.replace(/\/v1$/, "")]) {
      await expect(create(baseURL).generate({ prompt: "p" })).resolves.toMatchObject({ text: "hello" });
    }
  });

  it("a failing call is not repeated behind the retry policy's back", async () => {
    const agent = await start([{ status: 500, message: "Busy." }, { text: "too late" }]);
    await failureOf(agent);
    expect(server.requests).toHaveLength(1);
  });

  it("a connection cut in the middle of an answer is retried", async () => {
    const agent = await start([{ text: "one two three four five", cutAfter: 4 }]);
    const failure = await failureOf(agent);
    expect(failure.code).toBe("AGENT_PROVIDER_ERROR");
    expect(isRetryable(serializeError(failure))).toBe(true);
  });

  it("a stream that ends without its end mark is no answer", async () => {
    const agent = await start([{ text: "one two three four five", endAfter: 4 }]);
    expect((await failureOf(agent)).code).toBe("AGENT_PROVIDER_ERROR");
  });

  it("an error in the middle of a stream is the provider's", async () => {
    const failAfter = { events: 4, type: "overloaded_error", message: "Overloaded" };
    const agent = await start([{ text: "one two three four five", failAfter }]);
    const failure = await failureOf(agent);
    expect(failure.code).toBe("AGENT_PROVIDER_ERROR");
    expect(failure.summary).toContain("Overloaded");
  });

  it("a limit reported in the middle of a stream is a quota error", async () => {
    const failAfter = { events: 4, type: "rate_limit_error", message: "Too many tokens" };
    const agent = await start([{ text: "one two three four five", failAfter }]);
    expect((await failureOf(agent)).code).toBe("AGENT_QUOTA_EXCEEDED");
  });

  it("an unreachable server is retried", async () => {
    const agent = await start([]);
    await server.close();
    const failure = await failureOf(agent);
    expect(failure.code).toBe("AGENT_PROVIDER_ERROR");
    expect(isRetryable(serializeError(failure))).toBe(true);
  });

  it("nothing is printed", async () => {
    const printed = [
      vi.spyOn(console, "error"),
      vi.spyOn(console, "warn"),
      vi.spyOn(console, "info"),
      vi.spyOn(console, "log"),
    ];
    const agent = await start([{ text: "one two three four five", cutAfter: 4 }]);
    await failureOf(agent);
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });

  it("the last event tells of the failure and the tokens spent before it", async () => {
    const agent = await start([{ status: 500, message: "Busy." }]);
    const events: AgentCliEvent[] = [];
    const failure = await failureOf(agent, { onEvent: (event) => events.push(event) });
    expect(events.at(-1)).toEqual({
      type: "completed",
      engine: agent.engine,
      ok: false,
      error: failure.message,
    });
  });

  it("an aborted call rejects with the reason of the signal while the server is silent", async () => {
    const agent = await start([{ silent: true }]);
    const controller = new AbortController();
    const reason = new Error("cancelled by the test");
    const call = agent.generate({ prompt: "p", abortSignal: controller.signal });
    await expect.poll(() => server.requests).toHaveLength(1);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    await expect.poll(() => server.abandoned).toHaveLength(1);
  });

  it("an aborted call rejects in the middle of an answer", async () => {
    const agent = await start([
      { text: "one\ntwo\nthree\n", pause: { afterEvents: 4, until: new Promise(() => {}) } },
    ]);
    const controller = new AbortController();
    const reason = new Error("cancelled by the test");
    const call = agent.generate({
      prompt: "p",
      abortSignal: controller.signal,
      onStdout: () => controller.abort(reason),
    });
    await expect(call).rejects.toBe(reason);
    await expect.poll(() => server.abandoned).toHaveLength(1);
  });

  it("a call that takes longer than its timeout fails as TASK_TIMEOUT", async () => {
    const agent = await start([{ silent: true }]);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const failing = failureOf(agent, { timeout: 20 });
    // Time that passes before would end a call which the server never hears of.
    await expect.poll(() => server.requests).toHaveLength(1);
    vi.advanceTimersByTime(20);
    const failure = await failing;
    expect(failure.code).toBe("TASK_TIMEOUT");
    expect(isRetryable(serializeError(failure))).toBe(true);
    await expect.poll(() => server.abandoned).toHaveLength(1);
  });
});

describe("a call that something holds up", () => {
  it("rejects on abort although a tool never returns", async () => {
    server = await startModelServer([{ toolCalls: [{ name: "hang", input: {} }] }]);
    const controller = new AbortController();
    const reason = new Error("cancelled");
    const hang = tool({
      inputSchema: z.object({}),
      execute: () => {
        controller.abort(reason);
        return new Promise(() => {});
      },
    });
    const agent = new CompatAgent({ baseURL: server.baseURL, tools: { hang } });
    await expect(agent.generate({ prompt: "p", abortSignal: controller.signal })).rejects.toBe(reason);
  });

  it("tells its tools to stop, and asks for nothing more, once it has failed", async () => {
    server = await startModelServer([{ toolCalls: [{ name: "work", input: {} }] }, { text: "Done." }]);
    const begun: AbortSignal[] = [];
    const work = tool({
      inputSchema: z.object({}),
      execute: (_input, { abortSignal }) => {
        if (abortSignal !== undefined) begun.push(abortSignal);
        return new Promise((resolve) => abortSignal?.addEventListener("abort", () => resolve(1)));
      },
    });
    const agent = new CompatAgent({ baseURL: server.baseURL, tools: { work } });
    const onEvent = (event: AgentCliEvent) => {
      if (event.type === "action" && event.action.kind === "tool") throw new Error("the listener failed");
    };
    await expect(agent.generate({ prompt: "p", onEvent })).rejects.toThrow("the listener failed");
    await expect.poll(() => begun.map((signal) => signal.aborted)).toEqual([true]);
    expect(server.requests).toHaveLength(1);
  });

  it("fails as TASK_TIMEOUT after a time-out of the SDK's own settings", async () => {
    const until = new Promise(() => {});
    server = await startModelServer([{ text: "one two three", pause: { afterEvents: 3, until } }]);
    const agent = new CompatAgent({ baseURL: server.baseURL, timeout: { chunkMs: 30 } });
    expect((await failureOf(agent)).code).toBe("TASK_TIMEOUT");
  });
});

describe("a call that cannot begin", () => {
  it("is not begun when the signal has already fired", async () => {
    server = await startModelServer([{ text: "too late" }]);
    const agent = new CompatAgent({ baseURL: server.baseURL });
    const reason = new Error("cancelled");
    await expect(agent.generate({ prompt: "p", abortSignal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    expect(server.requests).toHaveLength(0);
  });

  it("is refused without prompt and messages", async () => {
    server = await startModelServer([{ text: "what?" }]);
    const agent = new CompatAgent({ baseURL: server.baseURL });
    await expect(agent.generate({})).rejects.toMatchObject({ code: "TASK_EMPTY_PROMPT" });
    expect(server.requests).toHaveLength(0);
  });
});
