import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ClaudeCodeAgent,
  CodexAgent,
  GeminiAgent,
  KimiAgent,
  OpenCodeAgent,
} from "../../../src/agents/cli/index.js";
import { isRetryable, serializeError } from "../../../src/errors/ensure-error.js";
import { ServiceError } from "../../../src/errors/service-error.js";
import type { AgentLike } from "../../../src/model/agent.js";
import { TOOLS } from "./support/engines.js";
import { createFakeTool, type FakeTool, type Step } from "./support/fake-tool.js";

let fake: FakeTool;
afterEach(() => fake.remove());

async function failureOf(agent: AgentLike): Promise<ServiceError> {
  const thrown: unknown = await agent.generate({ prompt: "Hello", rootDir: fake.cwd }).then(
    (result) => result,
    (error: unknown) => error,
  );
  if (!ServiceError.is(thrown)) throw new Error(`expected a failure, got ${JSON.stringify(thrown)}`);
  return thrown;
}

/** Messages as the tools and the model providers behind them put it. */
const MESSAGES: readonly (readonly [reason: string, message: string])[] = [
  [
    "quota",
    "You've hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro) or try again in 3 days.",
  ],
  ["quota", "You've hit your limit · resets 4pm (Asia/Kuala_Lumpur)"],
  ["quota", "Claude AI usage limit reached|4102444800"],
  ["quota", "API Error: Request rejected (429) · This request would exceed your account's rate limit."],
  ["quota", "Your credit balance is too low to access the API."],
  ["quota", "Quota exceeded. Check your plan and billing details."],
  ["quota", "You exceeded your current quota, please check your plan and billing details."],
  ["quota", "You have exhausted your capacity on this model. Your quota will reset after 8h44m7s."],
  ["quota", "You have exhausted your daily quota on this model."],
  ["quota", "Resource has been exhausted (e.g. check quota). status: RESOURCE_EXHAUSTED"],
  ["quota", "Rate limit exceeded. Please wait a moment before trying again."],
  ["quota", "Error code: 429 - {'error': {'type': 'exceeded_current_quota_error'}}"],
  ["quota", "402 Payment Required: insufficient credits"],
  ["auth", "Not logged in · Please run /login"],
  ["auth", "Invalid API key · Fix external API key"],
  [
    "auth",
    "unexpected status 401 Unauthorized: Incorrect API key provided: sk-***., url: http://127.0.0.1/v1",
  ],
  ["auth", "Invalid API key. Please check your API key and try again."],
  ["auth", "No API key found. Starting login flow..."],
  ["auth", "Authentication required. Run 'agy' to log in, then retry."],
  ["auth", "Please set an Auth method in your settings.json"],
  ["auth", "LLM not set"],
  [
    "model",
    "There's an issue with the selected model (nope-1). It may not exist or you may not have access to it.",
  ],
  ["model", "The model `nope-1` does not exist or you do not have access to it."],
  ["refused", "Provider finish_reason: content_filter"],
  ["refused", "The response was blocked by the provider's content filter"],
  ["refused", "Provider safety policy blocked the response."],
  ["flag", "error: unknown option '--nope'"],
  ["flag", "error: unexpected argument '--full-auto' found"],
  ["flag", "Unknown argument: nope"],
  ["flag", "flag provided but not defined: -nope"],
  ["session", "No conversation found with session ID: 0199a213"],
  ["session", "thread/resume failed: no rollout found for thread id 0199a213"],
  ["session", "Session not found"],
  ["session", "No session found matching 'abcdef'"],
  ["transient", "Overloaded"],
];

const CODES: Readonly<Record<string, { code: string; retryable: boolean }>> = {
  quota: { code: "AGENT_QUOTA_EXCEEDED", retryable: true },
  auth: { code: "AGENT_CONFIG_INVALID", retryable: false },
  model: { code: "AGENT_CONFIG_INVALID", retryable: false },
  flag: { code: "AGENT_CONFIG_INVALID", retryable: false },
  refused: { code: "AGENT_REFUSED", retryable: false },
  session: { code: "AGENT_CLI_ERROR", retryable: true },
  transient: { code: "AGENT_CLI_ERROR", retryable: true },
};

describe("what a tool says when it fails", () => {
  it.each(MESSAGES)("is understood as %s: %s", async (reason, message) => {
    fake = createFakeTool("kimi");
    fake.plays([{ err: `${message}\n` }, { exit: 1 }]);
    const error = await failureOf(new KimiAgent({ env: fake.env }));
    expect({ code: error.code, reason: error.details?.["reason"] }).toEqual({
      code: CODES[reason]?.code,
      reason,
    });
    expect(isRetryable(serializeError(error))).toBe(CODES[reason]?.retryable);
  });

  it.each(TOOLS)("is part of the error of $command, with the agent's name", async (tool) => {
    fake = createFakeTool(tool.command);
    fake.plays(tool.fails("The frobnicator is jammed"));
    const error = await failureOf(tool.create({ env: fake.env, id: "my-agent" }));
    expect(error.code).toBe("AGENT_CLI_ERROR");
    expect(error.summary).toContain("The frobnicator is jammed");
    expect(error.summary).toContain("my-agent");
    expect(error.details).toMatchObject({ agentId: "my-agent", engine: tool.engine });
  });

  it("tells when the quota comes back", async () => {
    fake = createFakeTool("codex");
    const message = "You've hit your usage limit. Try again in 2 hours 30 minutes.";
    fake.plays([{ lines: [{ type: "turn.failed", error: { message } }] }, { exit: 1 }]);
    const before = Date.now();
    const { details } = await failureOf(new CodexAgent({ env: fake.env }));
    const wait = (details?.["resetAtMs"] as number) - before;
    expect(Math.floor(wait / 60_000)).toBe(150);
  });

  it("includes the reset that the stream of Claude Code states", async () => {
    fake = createFakeTool("claude");
    const resetsAt = 4_102_444_800;
    fake.plays([
      {
        lines: [
          { type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt } },
          {
            type: "result",
            subtype: "success",
            is_error: true,
            api_error_status: 429,
            result: "You've hit your limit",
          },
        ],
      },
      { exit: 1 },
    ]);
    const error = await failureOf(new ClaudeCodeAgent({ env: fake.env }));
    expect(error.code).toBe("AGENT_QUOTA_EXCEEDED");
    expect(error.details?.["resetAtMs"]).toBe(resetsAt * 1_000);
  });

  it("is judged by the status that comes with it", async () => {
    fake = createFakeTool("opencode");
    const failed = (statusCode: number, responseHeaders = {}): Step[] => [
      {
        lines: [
          {
            type: "error",
            error: { name: "APIError", data: { message: "Nope.", statusCode, responseHeaders } },
          },
        ],
      },
      { exit: 1 },
    ];
    const agent = new OpenCodeAgent({ env: fake.env });
    fake.plays(failed(401));
    expect((await failureOf(agent)).code).toBe("AGENT_CONFIG_INVALID");
    fake.plays(failed(503));
    expect((await failureOf(agent)).details?.["reason"]).toBe("transient");
    fake.plays(failed(429, { "retry-after": "3600" }));
    const error = await failureOf(agent);
    expect(error.code).toBe("AGENT_QUOTA_EXCEEDED");
    expect(error.details?.["resetAtMs"]).toBeGreaterThan(Date.now());
  });

  it("names the conversation that is gone, so that it can be dropped", async () => {
    fake = createFakeTool("claude");
    const errors = ["No conversation found with session ID: old"];
    fake.plays([
      { lines: [{ type: "result", subtype: "error_during_execution", is_error: true, errors }] },
      { exit: 1 },
    ]);
    const agent = new ClaudeCodeAgent({ env: fake.env });
    const error: unknown = await agent
      .generate({ prompt: "Continue", rootDir: fake.cwd, resumeSession: "old" })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ details: { reason: "session", sessionId: "old" } });
  });

  it("stops at limits of the caller's own without another try", async () => {
    fake = createFakeTool("claude");
    fake.plays([
      { lines: [{ type: "result", subtype: "error_max_budget_usd", is_error: true }] },
      { exit: 1 },
    ]);
    const error = await failureOf(new ClaudeCodeAgent({ env: fake.env, maxBudgetUsd: 0.01 }));
    expect(error).toMatchObject({ code: "AGENT_CLI_ERROR", retryable: false, details: { reason: "limit" } });
  });

  it("counts when the tool only waits for its quota until our time is up", async () => {
    fake = createFakeTool("codex");
    fake.plays([
      {
        lines: [{ type: "error", message: "Rate limit reached, retrying in 2 hours. Try again in 2 hours." }],
      },
      { hang: true },
    ]);
    const error = await failureOf(new CodexAgent({ env: fake.env, timeoutMs: 3_000 }));
    expect(error.code).toBe("AGENT_QUOTA_EXCEEDED");
  });

  it("does not count when the agent recovers from it", async () => {
    fake = createFakeTool("codex");
    fake.plays([
      {
        lines: [
          { type: "error", message: "Reconnecting... 1/5 (too many requests)" },
          { type: "item.completed", item: { id: "1", type: "agent_message", text: "All good." } },
          { type: "turn.completed", usage: {} },
        ],
      },
    ]);
    const result = await new CodexAgent({ env: fake.env }).generate({ prompt: "x", rootDir: fake.cwd });
    expect(result.text).toBe("All good.");
  });
});

describe("a tool that ends badly without saying why", () => {
  beforeEach(() => {
    fake = createFakeTool("claude");
  });

  it("gives its last words on stderr", async () => {
    fake.plays([{ err: "starting\nSegmentation fault (core dumped)\n" }, { exit: 139 }]);
    const error = await failureOf(new ClaudeCodeAgent({ env: fake.env }));
    expect(error).toMatchObject({ code: "AGENT_CLI_ERROR", details: { exitCode: 139 } });
    expect(error.details?.["stderr"]).toContain("Segmentation fault");
    expect(error.summary).toContain("Segmentation fault");
  });

  it("gives its exit code when there is nothing else", async () => {
    fake.plays([{ exit: 7 }]);
    expect((await failureOf(new ClaudeCodeAgent({ env: fake.env }))).summary).toContain("code 7");
  });

  it.each(
    TOOLS.filter(({ engine }) =>
      ["claude-code", "codex", "antigravity", "gemini", "pi", "amp"].includes(engine),
    ),
  )("has broken off when $command exits with 0 before its end", async (tool) => {
    fake.remove();
    fake = createFakeTool(tool.command);
    const [first] = tool.answers("half").flatMap((step) => ("lines" in step ? step.lines : []));
    fake.plays([{ lines: [first] }]);
    expect((await failureOf(tool.create({ env: fake.env }))).code).toBe("AGENT_CLI_ERROR");
  });

  it("may tell by its exit code alone", async () => {
    fake.remove();
    fake = createFakeTool("gemini");
    fake.plays([{ exit: 41 }]);
    expect((await failureOf(new GeminiAgent({ env: fake.env }))).details?.["reason"]).toBe("auth");
  });

  it("has a time limit of its own and one for silence", async () => {
    fake.plays([{ hang: true }]);
    expect((await failureOf(new ClaudeCodeAgent({ env: fake.env, timeoutMs: 300 }))).code).toBe(
      "PROCESS_TIMEOUT",
    );
    expect((await failureOf(new ClaudeCodeAgent({ env: fake.env, idleTimeoutMs: 300 }))).code).toBe(
      "PROCESS_IDLE_TIMEOUT",
    );
  });

  it("is stopped at the task's limit when that is shorter", async () => {
    fake.plays([{ hang: true }]);
    const agent = new ClaudeCodeAgent({ env: fake.env, timeoutMs: 3_600_000 });
    await expect(agent.generate({ prompt: "x", rootDir: fake.cwd, timeout: 300 })).rejects.toMatchObject({
      code: "PROCESS_TIMEOUT",
      details: { timeoutMs: 300 },
    });
  });
});
