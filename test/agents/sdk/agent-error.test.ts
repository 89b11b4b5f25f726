import { APICallError, NoObjectGeneratedError, RetryError } from "ai";
import { describe, expect, it } from "vitest";
import { toAgentError } from "../../../src/agents/sdk/agent-error.js";
import { ServiceError } from "../../../src/errors/service-error.js";

const nowMs = Date.parse("2026-01-02T03:04:05Z");
const clock = { now: () => nowMs, setTimer: () => () => {}, setDelay: () => () => {} };

interface Response {
  status?: number;
  body: unknown;
  headers?: Record<string, string>;
}

function apiError({ status, body, headers = {} }: Response): APICallError {
  const { error } = body as { error?: { message?: string } };
  return new APICallError({
    message: error?.message ?? "Error",
    url: "https://provider.example/v1",
    requestBodyValues: { prompt: "prompt-marker" },
    responseHeaders: headers,
    responseBody: JSON.stringify(body),
    ...(status !== undefined && { statusCode: status }),
  });
}

/** Refusals as providers word them. */
const responses: [name: string, response: Response, code: string, retryable: boolean | undefined][] = [
  [
    "Anthropic, rate limit",
    {
      status: 429,
      body: {
        type: "error",
        error: {
          type: "rate_limit_error",
          message: "This request would exceed your organization's rate limit of 50 requests per minute.",
        },
      },
    },
    "AGENT_QUOTA_EXCEEDED",
    undefined,
  ],
  [
    "Anthropic, no credit",
    {
      status: 400,
      body: {
        type: "error",
        error: {
          type: "invalid_request_error",
          message:
            "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
        },
      },
    },
    "AGENT_QUOTA_EXCEEDED",
    undefined,
  ],
  [
    "Anthropic, usage limit",
    {
      status: 400,
      body: {
        type: "error",
        error: {
          type: "invalid_request_error",
          message:
            "You have reached your specified API usage limits. You will regain access on 2026-02-01 at 00:00 UTC.",
        },
      },
    },
    "AGENT_QUOTA_EXCEEDED",
    undefined,
  ],
  [
    "Anthropic, overloaded",
    { status: 529, body: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } } },
    "AGENT_PROVIDER_ERROR",
    undefined,
  ],
  [
    "Anthropic, bad key",
    {
      status: 401,
      body: { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } },
    },
    "AGENT_CONFIG_INVALID",
    undefined,
  ],
  [
    "Anthropic, unknown model",
    {
      status: 404,
      body: { type: "error", error: { type: "not_found_error", message: "model: claude-nope" } },
    },
    "AGENT_CONFIG_INVALID",
    undefined,
  ],
  [
    "Anthropic, prompt too long",
    {
      status: 400,
      body: {
        type: "error",
        error: {
          type: "invalid_request_error",
          message: "prompt is too long: 210000 tokens > 200000 maximum",
        },
      },
    },
    "AGENT_PROVIDER_ERROR",
    false,
  ],
  [
    "OpenAI, rate limit",
    {
      status: 429,
      body: {
        error: {
          message:
            "Rate limit reached for gpt-4.1 on tokens per min (TPM): Limit 30000. Please try again in 6.2s.",
          type: "tokens",
          code: "rate_limit_exceeded",
        },
      },
    },
    "AGENT_QUOTA_EXCEEDED",
    undefined,
  ],
  [
    "OpenAI, no credit",
    {
      status: 429,
      body: {
        error: {
          message: "You exceeded your current quota, please check your plan and billing details.",
          type: "insufficient_quota",
          code: "insufficient_quota",
        },
      },
    },
    "AGENT_QUOTA_EXCEEDED",
    undefined,
  ],
  [
    "OpenAI, bad key",
    {
      status: 401,
      body: {
        error: {
          message: "Incorrect API key provided: sk-abcd*****wxyz.",
          type: "invalid_request_error",
          code: "invalid_api_key",
        },
      },
    },
    "AGENT_CONFIG_INVALID",
    undefined,
  ],
  [
    "OpenAI, outage",
    {
      status: 500,
      body: {
        error: {
          message: "The server had an error while processing your request. Sorry about that!",
          type: "server_error",
        },
      },
    },
    "AGENT_PROVIDER_ERROR",
    undefined,
  ],
  [
    "an outage that mentions limits",
    { status: 503, body: { error: { message: "Rate limit service unavailable" } } },
    "AGENT_PROVIDER_ERROR",
    undefined,
  ],
  [
    "a router, no credits",
    {
      status: 402,
      body: { error: { message: "Insufficient credits. Add more at the dashboard.", code: 402 } },
    },
    "AGENT_QUOTA_EXCEEDED",
    undefined,
  ],
  [
    "a gateway, quota under 403",
    { status: 403, body: { error: { message: "Quota exceeded for this project" } } },
    "AGENT_QUOTA_EXCEEDED",
    undefined,
  ],
  [
    "no response at all",
    { body: { error: { message: "Cannot connect to API" } } },
    "AGENT_PROVIDER_ERROR",
    undefined,
  ],
];

describe("toAgentError classifies", () => {
  it.each(responses)("%s", (_name, response, code, retryable) => {
    const error = toAgentError(apiError(response), { clock }) as ServiceError;
    expect({ code: error.code, retryable: error.retryable }).toEqual({ code, retryable });
  });

  it("the last error of the SDK's own retries", () => {
    const last = apiError({ status: 429, body: {}, headers: { "Retry-After": "5" } });
    const error = new RetryError({
      message: "Failed after 3 attempts",
      reason: "maxRetriesExceeded",
      errors: [last],
    });
    expect(toAgentError(error, { clock })).toMatchObject({
      code: "AGENT_QUOTA_EXCEEDED",
      details: { resetAtMs: nowMs + 5_000 },
    });
  });

  it("an unusable answer as the provider's, even when its text speaks of limits", () => {
    const error = new NoObjectGeneratedError({
      message: "No object generated: usage limit",
      text: "rate limit",
      response: { id: "r", timestamp: new Date(nowMs), modelId: "m" },
      usage: {
        inputTokens: 1,
        outputTokens: 1,
        totalTokens: 2,
        inputTokenDetails: { noCacheTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
        outputTokenDetails: { textTokens: 1, reasoningTokens: 0 },
      },
      finishReason: "stop",
    });
    expect(toAgentError(error)).toMatchObject({ code: "AGENT_PROVIDER_ERROR" });
  });

  it.each(["AI_LoadAPIKeyError", "AI_NoSuchModelError", "AI_InvalidPromptError"])(
    "%s as a mistake of the configuration",
    (name) => {
      expect(toAgentError(Object.assign(new Error("x"), { name }))).toMatchObject({
        code: "AGENT_CONFIG_INVALID",
      });
    },
  );

  it("errors that come out of a stream as plain objects", () => {
    const frame = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    expect(toAgentError(frame)).toMatchObject({ code: "AGENT_PROVIDER_ERROR" });
  });

  it.each(["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "UND_ERR_SOCKET"])(
    "a connection lost with %s",
    (code) => {
      const error = new TypeError("fetch failed", { cause: Object.assign(new Error("lost"), { code }) });
      expect(toAgentError(error)).toMatchObject({ code: "AGENT_PROVIDER_ERROR" });
    },
  );
});

describe("toAgentError leaves alone", () => {
  it("a ServiceError", () => {
    const error = new ServiceError("INVALID_INPUT", "No.");
    expect(toAgentError(error)).toBe(error);
  });

  it.each([
    ["an error of the agent's own code", new TypeError("x is not a function")],
    ["a missing file, which no connection explains", Object.assign(new Error("no file"), { code: "ENOENT" })],
  ])("%s", (_name, error) => {
    expect(toAgentError(error)).toBe(error);
  });

  it("nothing that is no error: a thrown string becomes one", () => {
    expect(toAgentError("boom")).toMatchObject({ name: "Error", message: expect.stringContaining('"boom"') });
  });
});

describe("what toAgentError says", () => {
  it("names the agent, the status and the provider's own words, shortened", () => {
    const error = toAgentError(apiError({ status: 500, body: { error: { message: "m".repeat(2_000) } } }), {
      agentId: "writer",
    }) as ServiceError;
    expect(error.summary).toMatch(
      /^Agent "writer" got no complete answer from its provider \(HTTP 500\): m+…$/,
    );
    expect(error.summary.length).toBeLessThan(600);
    expect(error.details).toEqual({ agentId: "writer", status: 500 });
  });

  it("repeats neither keys nor the request", () => {
    const message = "Key top-secret-value-1 and sk-ant-api03-abcdef123456 and Bearer abc.def.ghi are wrong";
    const error = toAgentError(apiError({ status: 401, body: { error: { message } } }), {
      secrets: ["top-secret-value-1"],
    });
    const everything = JSON.stringify([
      error.message,
      error.stack,
      (error as ServiceError).details,
      error.cause,
    ]);
    for (const secret of ["top-secret-value-1", "sk-ant-api03", "abc.def.ghi", "prompt-marker"]) {
      expect(everything).not.toContain(secret);
    }
    expect(error.message).toContain("Key [redacted] and [redacted] and [redacted] are wrong");
  });
});
