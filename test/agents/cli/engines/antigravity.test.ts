import { describe, expect, it } from "vitest";
import { AntigravityAgent } from "../../../../src/agents/cli/index.js";
import { outline, useFakeTool, flagValue, flagValues } from "../support/observe.js";

const agy = useFakeTool("agy");

const agent = (env: Record<string, string>) => new AntigravityAgent({ env });
const step = (members: object) => ({
  event: "step_update",
  step_update: { conversation_id: "c1", ...members },
});
const result = (members: object = {}) => ({
  event: "result",
  result: { conversation_id: "c1", status: "SUCCESS", response: "ok", ...members },
});
const done = [{ lines: [result()] }];

describe("arguments of agy", () => {
  it("carry every option, and the prompt goes as an event", async () => {
    const { call } = await agy.observe(
      (env) =>
        new AntigravityAgent({
          env,
          model: "gemini-3.8-flash-high",
          yolo: true,
          conversation: "c1",
          includeDirectories: ["/a", "/b"],
          sandbox: true,
          configDir: "/conf",
          apiKey: "AIza-secret",
        }),
      done,
    );
    expect(flagValue(call, "--output-format")).toBe("stream-json");
    expect(flagValue(call, "--gemini_dir")).toBe("/conf");
    expect(flagValue(call, "--model")).toBe("gemini-3.8-flash-high");
    expect(flagValue(call, "--conversation")).toBe("c1");
    expect(flagValues(call, "--add-dir")).toEqual(["/a", "/b"]);
    expect(call.argv).toContain("--sandbox");
    expect(call.argv).toContain("--dangerously-skip-permissions");
    expect(call.env["ANTIGRAVITY_API_KEY"]).toBe("AIza-secret");
    expect(JSON.parse(call.stdin)).toEqual({ event: "user", message: { role: "user", content: "Do it" } });
  });

  it("continue the latest conversation", async () => {
    const { call } = await agy.observe((env) => new AntigravityAgent({ env, continue: true }), done);
    expect(call.argv).toContain("--continue");
  });

  it("leave the time limit to us", async () => {
    const { call } = await agy.observe(agent, done);
    expect(flagValue(call, "--print-timeout")).toBe("24h");
  });

  it("take the other name of the folder", async () => {
    const { call } = await agy.observe((env) => new AntigravityAgent({ env, geminiDir: "/g" }), done);
    expect(flagValue(call, "--gemini_dir")).toBe("/g");
  });
});

describe("output of agy", () => {
  it("tells of tools, announced or not, and of those that fail", async () => {
    const { actions } = await agy.observe(agent, [
      {
        lines: [
          step({
            step_index: 1,
            state: "ACTIVE",
            step_type: "tool",
            tool_name: "search_web",
            tool_info: { parameters: { q: "x" } },
          }),
          step({
            step_index: 1,
            state: "DONE",
            step_type: "tool",
            tool_name: "search_web",
            tool_info: { output: "found" },
          }),
          step({
            step_index: 2,
            state: "ERROR",
            step_type: "tool",
            tool_name: "run_command",
            tool_info: { parameters: { CommandLine: "false" }, error: { message: "exit status 1" } },
          }),
          result(),
        ],
      },
    ]);
    expect(outline(actions)).toEqual([
      "web_search started search_web",
      "web_search completed search_web",
      "command completed run_command",
    ]);
    expect(actions[1]).toMatchObject({ ok: true, message: "found" });
    expect(actions[2]).toMatchObject({ ok: false, message: "exit status 1" });
  });

  it("gives the response even when no piece of it was streamed", async () => {
    const { result: answer } = await agy.observe(agent, [{ lines: [result({ response: "Whole.\n" })] }]);
    expect(answer).toMatchObject({ text: "Whole.\n", sessionId: "c1" });
  });

  it("fails when actions were denied and nothing was answered, though it calls that a success", async () => {
    const denied = result({ response: "", denied_actions: [{ action: "run", display_name: "Run command" }] });
    const { error } = await agy.observe(agent, [{ lines: [denied] }]);
    expect(error).toMatchObject({ code: "AGENT_CONFIG_INVALID" });
    expect(error?.message).toContain("Run command");
  });

  it("counts what it states on stderr, whatever its exit code", async () => {
    const stated = {
      short_error: "RESOURCE_EXHAUSTED (code 429): Individual quota reached. Resets in 167h51m3s.",
      status: "RESOURCE_EXHAUSTED",
      error_code: 429,
    };
    const { error } = await agy.observe(agent, [
      { err: `AGY_ERROR: ${JSON.stringify(stated)}\n` },
      { lines: [result({ response: "half an answer" })] },
    ]);
    expect(error).toMatchObject({ code: "AGENT_QUOTA_EXCEEDED", details: { resetAtMs: expect.any(Number) } });
  });

  it("bears a statement on stderr that is damaged", async () => {
    const { error } = await agy.observe(agent, [{ err: "AGY_ERROR: {not json\n" }, { exit: 3 }]);
    expect(error).toMatchObject({ code: "AGENT_CLI_ERROR", details: { exitCode: 3 } });
  });

  it("sums the tokens of this call's steps, since the totals are the conversation's", async () => {
    const usage = (input: number, cached: number, output: number) => ({
      input_tokens: input,
      cache_read_tokens: cached,
      output_tokens: output,
    });
    const { result: answer } = await agy.observe(agent, [
      {
        lines: [
          step({
            step_index: 5,
            state: "DONE",
            step_type: "agent_response",
            text_delta: "a",
            usage: usage(10, 5, 3),
          }),
          step({
            step_index: 6,
            state: "DONE",
            step_type: "agent_response",
            text_delta: "b",
            usage: usage(20, 0, 4),
          }),
          result({ usage: usage(1_000, 500, 300) }),
        ],
      },
    ]);
    expect(answer?.usage).toMatchObject({ inputTokens: 35, outputTokens: 7, cacheReadTokens: 5 });
  });

  it("counts the tokens of a call that ended before its result, and of one with two results once", async () => {
    const reported = step({
      step_index: 5,
      state: "DONE",
      step_type: "agent_response",
      text_delta: "a",
      usage: { input_tokens: 10, output_tokens: 3 },
    });
    const broken = await agy.observe(agent, [{ lines: [reported] }, { exit: 1 }]);
    expect(broken.events.at(-1)).toMatchObject({ ok: false, usage: { inputTokens: 10, outputTokens: 3 } });
    const twice = await agy.observe(agent, [{ lines: [reported, result(), result()] }]);
    expect(twice.result?.usage).toMatchObject({ inputTokens: 10, outputTokens: 3 });
  });
});
