import { describe, expect, it } from "vitest";
import { KimiAgent } from "../../../../src/agents/cli/index.js";
import { outline, useFakeTool, flagValue, flagValues } from "../support/observe.js";

const kimi = useFakeTool("kimi");

const agent = (env: Record<string, string>) => new KimiAgent({ env });
const says = (content: unknown) => ({ role: "assistant", content });
const done = [{ lines: [says("ok")] }];

describe("arguments of kimi", () => {
  it("carry every option", async () => {
    const { call } = await kimi.observe(
      (env) =>
        new KimiAgent({
          env,
          model: "kimi-k3",
          yolo: true,
          thinking: false,
          agent: "okabe",
          maxRalphIterations: 3,
          session: "s1",
          mcpConfigFile: ["/m.json"],
          mcpConfig: ['{"mcpServers":{}}'],
        }),
      done,
    );
    expect(call.argv.slice(0, 3)).toEqual(["--print", "--output-format", "stream-json"]);
    expect(flagValue(call, "--model")).toBe("kimi-k3");
    expect(call.argv).toContain("--no-thinking");
    expect(call.argv).toContain("--yolo");
    expect(flagValue(call, "--agent")).toBe("okabe");
    expect(flagValue(call, "--max-ralph-iterations")).toBe("3");
    expect(flagValue(call, "--session")).toBe("s1");
    expect(flagValues(call, "--mcp-config-file")).toHaveLength(2);
    expect(flagValue(call, "--mcp-config-file")).toBe("/m.json");
  });

  it("name the new conversation, so that it can be resumed", async () => {
    const { call, result } = await kimi.observe(agent, done);
    expect(flagValue(call, "--session")).toMatch(/^[0-9a-f-]{36}$/);
    expect(result?.sessionId).toBe(flagValue(call, "--session"));
  });

  it("name none when the latest is to be continued; the tool tells which that was", async () => {
    const build = (env: Record<string, string>) => new KimiAgent({ env, continue: true, thinking: true });
    const { call, result } = await kimi.observe(build, [
      ...done,
      { err: "\nTo resume this session: kimi -r 1234-abcd\n" },
    ]);
    expect(call.argv).toContain("--continue");
    expect(call.argv).not.toContain("--session");
    expect(call.argv).toContain("--thinking");
    expect(result?.sessionId).toBe("1234-abcd");
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
            tool_calls: [call("1", "WriteFile", '{"path":"a"}'), call("2", "Shell", "{half")],
          },
          { role: "tool", tool_call_id: "1", content: "written" },
          { role: "tool", tool_call_id: "2", content: "<system>ERROR: bad arguments</system>" },
          says("ok"),
        ],
      },
    ]);
    expect(outline(actions).slice(0, 4)).toEqual([
      "file_change started WriteFile",
      "command started Shell",
      "file_change completed WriteFile",
      "command completed Shell",
    ]);
    expect(actions[0]?.action.detail).toEqual({ input: { path: "a" } });
    expect(actions[1]?.action.detail).toEqual({ input: "{half" });
    expect(actions.slice(2, 4).map(({ ok }) => ok)).toEqual([true, false]);
  });

  it("takes exit code 75 for something that passes", async () => {
    const { error } = await kimi.observe(agent, [{ exit: 75 }]);
    expect(error).toMatchObject({ code: "AGENT_CLI_ERROR", details: { reason: "transient" } });
  });
});
