import { describe, expect, it } from "vitest";
import { KimiAgent } from "../../../../src/agents/cli/index.js";
import { flagValue, outline, useFakeTool } from "../support/observe.js";

const kimi = useFakeTool("kimi");

const agent = (env: Record<string, string>) => new KimiAgent({ env });
const says = (content: unknown) => ({ role: "assistant", content });
const done = [{ lines: [says("ok")] }];

describe("arguments of kimi", () => {
  it("carry every option", async () => {
    const { call } = await kimi.observe(
      (env) => new KimiAgent({ env, model: "kimi-k3", yolo: true, agent: "coder" }),
      done,
    );
    expect(call.argv[0]).toBe("--prompt");
    expect(flagValue(call, "--output-format")).toBe("stream-json");
    expect(flagValue(call, "--model")).toBe("kimi-k3");
    expect(call.argv).toContain("--auto");
    expect(flagValue(call, "--agent")).toBe("coder");
  });

  it("leave the agent out where a conversation continues, which keeps its own", async () => {
    const build = (env: Record<string, string>) => new KimiAgent({ env, agent: "coder" });
    const { call } = await kimi.observe(build, done, { resumeSession: "session_1" });
    expect(flagValue(call, "--session")).toBe("session_1");
    expect(call.argv).not.toContain("--agent");
  });

  it("lead into a fork that the tool has made before", async () => {
    const scenario = {
      steps: done,
      commands: { "fork session_1 --yes": [{ out: 'Forked to session_2 ("Fork: session_1") in 3ms\n' }] },
    };
    const fork = { resumeSession: "session_1", forkSession: true };
    const { call } = await kimi.observe(agent, scenario, fork);
    expect(flagValue(call, "--session")).toBe("session_2");
  });

  it("are none where the conversation to fork is gone", async () => {
    kimi.now.plays({ steps: done, commands: { "fork .*": [{ err: "not found\n" }, { exit: 1 }] } });
    const call = { prompt: "Continue", rootDir: kimi.now.cwd, resumeSession: "session_1", forkSession: true };
    await expect(agent(kimi.now.env).generate(call)).rejects.toMatchObject({
      code: "AGENT_CLI_ERROR",
      details: { reason: "session" },
    });
    expect(kimi.now.calls()).toEqual([]);
  });

  it("may ask for the latest conversation; the tool tells at its end which that was", async () => {
    const hint = { role: "meta", type: "session.resume_hint", session_id: "session_1" };
    const build = (env: Record<string, string>) => new KimiAgent({ env, continue: true });
    const { call, result } = await kimi.observe(build, [{ lines: [says("ok"), hint] }]);
    expect(call.argv).toContain("--continue");
    expect(call.argv).not.toContain("--session");
    expect(result?.sessionId).toBe("session_1");
  });

  it.each([
    { thinking: true },
    { maxRalphIterations: 3 },
    { mcpConfigFile: ["/m.json"] },
    { mcpConfig: ["{}"] },
  ])("are refused where the tool has dropped the flag: %o", (options) => {
    expect(() => new KimiAgent(options)).toThrow(/has removed/);
  });
});

describe("output of kimi", () => {
  it("tells of tools, with arguments that may be no JSON", async () => {
    const call = (id: string, name: string, text: string) => ({
      type: "function",
      id,
      function: { name, arguments: text },
    });
    const { actions } = await kimi.observe(agent, [
      {
        lines: [
          {
            role: "assistant",
            content: "",
            tool_calls: [call("1", "Write", '{"path":"a"}'), call("2", "Bash", "{half")],
          },
          { role: "tool", tool_call_id: "1", content: "written" },
          { role: "tool", tool_call_id: "2", content: "Error: bad arguments" },
          says("ok"),
        ],
      },
    ]);
    expect(outline(actions).slice(0, 4)).toEqual([
      "file_change started Write",
      "command started Bash",
      "file_change completed Write",
      "command completed Bash",
    ]);
    expect(actions[0]?.action.detail).toEqual({ input: { path: "a" } });
    expect(actions[1]?.action.detail).toEqual({ input: "{half" });
    expect(actions.slice(2, 4).map(({ ok }) => ok)).toEqual([true, false]);
  });

  it("without a configured model means that no user is signed in", async () => {
    const { error } = await kimi.observe(agent, [
      { err: "error: failed to run prompt: No model configured. Run `kimi` and use /login to sign in.\n" },
      { exit: 1 },
    ]);
    expect(error).toMatchObject({ code: "AGENT_CONFIG_INVALID", details: { reason: "auth" } });
  });
});

describe("a failure of kimi", () => {
  const retrying = {
    role: "meta",
    type: "turn.step.retrying",
    failed_attempt: 1,
    next_attempt: 2,
    max_attempts: 10,
    delay_ms: 600,
    error_name: "APIProviderRateLimitError",
    error_message: "429 Rate limit",
    status_code: 429,
  };

  it("is seen while the tool still repeats the request", async () => {
    const patient = (env: Record<string, string>) => new KimiAgent({ env, quotaPatience: 0 });
    const { error, actions } = await kimi.observe(patient, [{ lines: [retrying] }, { hang: true }]);
    expect(error).toMatchObject({ code: "AGENT_QUOTA_EXCEEDED" });
    expect(actions[0]).toMatchObject({ level: "warning", message: "429 Rate limit" });
  });

  it("is reported in its own words, not by the path of its log", async () => {
    const { error } = await kimi.observe(agent, [
      { err: "error: failed to run prompt: The frobnicator is jammed\nSee log: /h/logs/kimi-code.log\n" },
      { exit: 1 },
    ]);
    expect(error?.message).toContain("failed: The frobnicator is jammed.");
  });

  it("is a refusal where its provider blocks the answer", async () => {
    const { error } = await kimi.observe(agent, [
      { err: "error: failed to run prompt: Provider safety policy blocked the response.\n" },
      { exit: 1 },
    ]);
    expect(error).toMatchObject({ code: "AGENT_REFUSED" });
  });

  it("is a limit where its configuration allows no more steps", async () => {
    const { error } = await kimi.observe(agent, [
      { err: "error: failed to run prompt: loop.max_steps_exceeded: Turn exceeded maxSteps=1.\n" },
      { exit: 1 },
    ]);
    expect(error).toMatchObject({ retryable: false, details: { reason: "limit" } });
  });
});
