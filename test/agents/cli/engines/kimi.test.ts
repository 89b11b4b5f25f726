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
      (env) => new KimiAgent({ env, model: "kimi-k3", yolo: true, agent: "coder", session: "s1" }),
      done,
    );
    expect(call.argv[0]).toBe("--prompt");
    expect(flagValue(call, "--output-format")).toBe("stream-json");
    expect(flagValue(call, "--model")).toBe("kimi-k3");
    expect(call.argv).toContain("--auto");
    expect(flagValue(call, "--agent")).toBe("coder");
    expect(flagValue(call, "--session")).toBe("s1");
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

  it("without a configured model means that nobody is signed in", async () => {
    const { error } = await kimi.observe(agent, [
      { err: "error: failed to run prompt: No model configured. Run `kimi` and use /login to sign in.\n" },
      { exit: 1 },
    ]);
    expect(error).toMatchObject({ code: "AGENT_CONFIG_INVALID", details: { reason: "auth" } });
  });
});
