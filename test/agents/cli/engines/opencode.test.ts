import { describe, expect, it } from "vitest";
import { OpenCodeAgent } from "../../../../src/agents/cli/index.js";
import { outline, useFakeTool, flagValue } from "../support/observe.js";

const opencode = useFakeTool("opencode");

const agent = (env: Record<string, string>) => new OpenCodeAgent({ env });
const line = (type: string, part: object) => ({ type, sessionID: "ses_1", part });
const done = [{ lines: [line("text", { text: "ok" })] }];

describe("arguments of opencode", () => {
  it("carry every option", async () => {
    const { call } = await opencode.observe(
      (env) =>
        new OpenCodeAgent({
          env,
          model: "anthropic/claude",
          yolo: true,
          agentName: "plan",
          attachFiles: ["a.ts", "b.ts"],
          sessionId: "ses_1",
          variant: "high",
        }),
      done,
    );
    expect(call.argv.slice(0, 3)).toEqual(["run", "--format", "json"]);
    expect(flagValue(call, "--model")).toBe("anthropic/claude");
    expect(flagValue(call, "--agent")).toBe("plan");
    expect(flagValue(call, "--session")).toBe("ses_1");
    expect(flagValue(call, "--variant")).toBe("high");
    expect(call.argv).toContain("--auto");
    expect(call.argv.filter((argument) => argument.startsWith("--file="))).toEqual([
      "--file=a.ts",
      "--file=b.ts",
    ]);
  });

  it("continue the latest conversation", async () => {
    const { call } = await opencode.observe((env) => new OpenCodeAgent({ env, continueSession: true }), done);
    expect(call.argv).toContain("--continue");
  });
});

describe("output of opencode", () => {
  it("tells of tools when they are over", async () => {
    const tool = (callID: string, state: object) => line("tool_use", { tool: "bash", callID, state });
    const { actions, result } = await opencode.observe(agent, [
      {
        lines: [
          line("reasoning", { text: "Hm." }),
          tool("1", { status: "completed", input: { command: "ls" }, output: "a", title: "List" }),
          tool("2", { status: "error", input: { command: "rm" }, error: "rejected" }),
          line("text", { text: "Done." }),
        ],
      },
    ]);
    expect(outline(actions)).toEqual([
      "reasoning completed reasoning",
      "command started List",
      "command completed List",
      "command started bash",
      "command completed bash",
      "note completed message",
    ]);
    expect(actions[4]).toMatchObject({ ok: false, message: "rejected" });
    expect(result).toEqual({ text: "Done.", sessionId: "ses_1" });
  });

  it("is well when a step follows an error", async () => {
    const error = {
      type: "error",
      sessionID: "ses_1",
      error: { name: "APIError", data: { message: "once" } },
    };
    const { result } = await opencode.observe(agent, [
      { lines: [error, line("text", { text: "Twice." }), line("step_finish", { tokens: {} })] },
    ]);
    expect(result?.text).toBe("Twice.");
  });

  it("bears a log that seems to begin an error again and again", async () => {
    const { result } = await opencode.observe(agent, [
      { err: `${"level=ERROR ".repeat(100_000)}\n` },
      { lines: [line("text", { text: "Done." }), line("step_finish", { tokens: {} })] },
    ]);
    expect(result?.text).toBe("Done.");
  });

  it("names an error by its type when it has no message", async () => {
    const error = { type: "error", error: { name: "ProviderModelNotFoundError" } };
    const seen = await opencode.observe(agent, [{ lines: [error] }, { exit: 1 }]);
    expect(seen.error).toMatchObject({ code: "AGENT_CONFIG_INVALID", details: { reason: "model" } });
  });
});
