import { describe, expect, it } from "vitest";
import { ClaudeCodeAgent, CodexAgent, OpenCodeAgent } from "../../../src/agents/cli/index.js";
import { Patience } from "../../../src/agents/cli/patience.js";
import { VirtualClock } from "../../../src/testing/virtual-clock.js";
import { flagValue, useFakeTool } from "./support/observe.js";

const claude = useFakeTool("claude");
const refusal = (status: number) => ({
  type: "system",
  subtype: "api_retry",
  attempt: 1,
  max_retries: 10,
  error_status: status,
  error: "rate_limit",
  session_id: "s1",
});
const says = (text: string) => ({
  type: "assistant",
  message: { id: "m1", content: [{ type: "text", text }], usage: { input_tokens: 7, output_tokens: 3 } },
});
const result = { type: "result", subtype: "success", result: "Done.", session_id: "s1" };

describe("a tool that repeats a refused request", () => {
  it.each([
    [429, "AGENT_QUOTA_EXCEEDED", "quota"],
    [401, "AGENT_CONFIG_INVALID", "auth"],
    [503, "AGENT_CLI_ERROR", "transient"],
  ])("is ended when patience is over, with the reason of status %i", async (status, code, reason) => {
    const { error } = await claude.observe(
      (env) => new ClaudeCodeAgent({ env, quotaPatience: 0 }),
      [{ lines: [refusal(status)] }, { hang: true }],
    );
    expect(error).toMatchObject({ code, details: { reason } });
  });

  it("is left alone while it gets on", async () => {
    const { result: answer } = await claude.observe(
      (env) => new ClaudeCodeAgent({ env, quotaPatience: "1h" }),
      [{ lines: [refusal(429), says("Working."), result] }],
    );
    expect(answer?.text).toBe("Done.");
  });

  it("warns, so that a person who watches knows what it waits for", async () => {
    const { actions } = await claude.observe(
      (env) => new ClaudeCodeAgent({ env }),
      [{ lines: [refusal(429), says("Working."), result] }],
    );
    const warning = actions.find(({ action }) => action.kind === "warning");
    expect(warning).toMatchObject({ level: "warning", message: "rate_limit (HTTP 429, attempt 1 of 10)" });
  });

  it("keeps the tokens that it reported although it was ended", async () => {
    const { error, events } = await claude.observe(
      (env) => new ClaudeCodeAgent({ env, quotaPatience: 0 }),
      [{ lines: [says("Working."), refusal(429)] }, { hang: true }],
    );
    expect(error?.code).toBe("AGENT_QUOTA_EXCEEDED");
    expect(events.at(-1)).toMatchObject({ type: "completed", usage: { inputTokens: 7, outputTokens: 3 } });
  });

  it("cannot be given a patience that is no duration", () => {
    expect(() => new ClaudeCodeAgent({ quotaPatience: "soon" })).toThrow(/expected a duration/);
  });
});

describe("patience", () => {
  const start = (options: { patienceMs?: number; timeoutMs?: number } = {}) => {
    const clock = new VirtualClock(0);
    const patience = new Patience({ clock, patienceMs: 30_000, timeoutMs: undefined, ...options });
    return { clock, patience };
  };

  it("counts from the first refusal, not from the last", () => {
    const { clock, patience } = start();
    patience.refused("quota");
    clock.moveTo(clock.now() + 29_999);
    patience.refused("quota");
    expect(patience.signal.aborted).toBe(false);
    clock.moveTo(clock.now() + 1);
    expect(patience.signal.aborted).toBe(true);
  });

  it("begins anew after the agent has got on", () => {
    const { clock, patience } = start();
    patience.refused("transient");
    clock.moveTo(clock.now() + 20_000);
    patience.gotOn();
    patience.refused("transient");
    clock.moveTo(clock.now() + 20_000);
    expect(patience.signal.aborted).toBe(false);
  });

  it("ends before the time limit of the call would hide the reason", () => {
    const { clock, patience } = start({ timeoutMs: 10_000 });
    patience.refused("quota");
    clock.moveTo(clock.now() + 9_999);
    expect(patience.signal.aborted).toBe(true);
  });

  it("has nothing to do with complaints of another kind", () => {
    const { clock, patience } = start();
    patience.refused("model");
    patience.refused(undefined);
    clock.moveTo(clock.now() + 3_600_000);
    expect(patience.signal.aborted).toBe(false);
  });

  it("may be without end", () => {
    const { clock, patience } = start({ patienceMs: Number.POSITIVE_INFINITY });
    patience.refused("quota");
    clock.moveTo(clock.now() + 3_600_000);
    expect(patience.signal.aborted).toBe(false);
  });
});

describe("what a tool warns of at its start", () => {
  const codex = useFakeTool("codex");

  it("does not explain an end that has another reason", async () => {
    const advice = "Model metadata for `m1` not found. Defaulting to fallback metadata.";
    const { error } = await codex.observe(
      (env) => new CodexAgent({ env }),
      [
        { err: "WARN: 401 unauthorized for telemetry\n" },
        { lines: [{ type: "item.completed", item: { id: "i", type: "error", message: advice } }] },
        { lines: [{ type: "turn.failed", error: { message: "The frobnicator is jammed" } }] },
        { exit: 1 },
      ],
    );
    expect(error).toMatchObject({ code: "AGENT_CLI_ERROR" });
    expect(error?.details?.["reason"]).toBeUndefined();
  });

  it("is kept beside the last lines for those who look for the reason", async () => {
    const noise = Array.from({ length: 100 }, (_, n) => `line ${n}`).join("\n");
    const { error } = await codex.observe(
      (env) => new CodexAgent({ env }),
      [{ err: `the first words\n${noise}\nthe last words\n` }, { exit: 1 }],
    );
    const stderr = String(error?.details?.["stderr"]);
    expect(stderr).toContain("the first words");
    expect(stderr).toContain("… 72 more lines …");
    expect(stderr).toContain("the last words");
  });
});

describe("what a tool writes when it does not get to work", () => {
  const codex = useFakeTool("codex");
  const failing = (err: string) => codex.observe((env) => new CodexAgent({ env }), [{ err }, { exit: 1 }]);

  it("is reported by the line that names the error, not by the stack below it", async () => {
    const { error } = await failing(
      "Error: OSS setup failed: LM Studio is not responding.\nStack backtrace:\n   0: <unknown>\n   1: <unknown>\n",
    );
    expect(error?.message).toContain("failed: Error: OSS setup failed: LM Studio is not responding.");
  });

  it("is not tried again where its configuration cannot be read", async () => {
    const { error } = await failing(
      "Error loading config.toml:\n/h/config.toml:1:11: extra `=`, expected nothing\n  |\n1 | profile = = 1\n  |           ^\n",
    );
    expect(error).toMatchObject({ code: "AGENT_CONFIG_INVALID", details: { reason: "flag" } });
    expect(error?.message).toContain("Error loading config.toml: /h/config.toml:1:11: extra `=`");
  });
});

describe("a limit of the caller's own", () => {
  it("is known by its kind, whatever its words", async () => {
    const { error } = await claude.observe(
      (env) => new ClaudeCodeAgent({ env }),
      [
        {
          lines: [
            {
              type: "result",
              subtype: "error_max_turns",
              is_error: true,
              errors: ["That was enough now (3)"],
            },
          ],
        },
        { exit: 1 },
      ],
    );
    expect(error).toMatchObject({ retryable: false, details: { reason: "limit" } });
  });
});

describe("the log of OpenCode", () => {
  const opencode = useFakeTool("opencode");

  it("tells the requests that it repeats, which its events do not", async () => {
    const { error, call } = await opencode.observe(
      (env) => new OpenCodeAgent({ env, quotaPatience: 0 }),
      [
        {
          err: 'timestamp=1 level=ERROR run=r message="stream error" error.error="AI_APICallError: 429 Too many requests"\n',
        },
        { hang: true },
      ],
    );
    expect(error).toMatchObject({ code: "AGENT_QUOTA_EXCEEDED" });
    expect(call.argv).toContain("--print-logs");
    expect(flagValue(call, "--title")).toBe("treadle task");
  });
});
