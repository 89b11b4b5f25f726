import { describe, expect, it } from "vitest";
import { GeminiAgent } from "../../../../src/agents/cli/index.js";
import { outline, useFakeTool, flagValue, flagValues } from "../support/observe.js";

const gemini = useFakeTool("gemini");

const agent = (env: Record<string, string>) => new GeminiAgent({ env });
const says = (content: string) => ({ type: "message", role: "assistant", content, delta: true });
const end = { type: "result", status: "success", stats: {} };
const done = [{ lines: [end] }];

describe("arguments of gemini", () => {
  it("carry every option", async () => {
    const { call } = await gemini.observe(
      (env) =>
        new GeminiAgent({
          env,
          model: "gemini-2.5-pro",
          approvalMode: "auto_edit",
          sandbox: true,
          extensions: ["one", "two"],
          resume: "latest",
          includeDirectories: ["/a"],
          configDir: "/conf",
          apiKey: "AIza-secret",
        }),
      done,
    );
    expect(flagValue(call, "--model")).toBe("gemini-2.5-pro");
    expect(flagValue(call, "--approval-mode")).toBe("auto_edit");
    expect(flagValues(call, "--extensions")).toEqual(["one", "two"]);
    expect(flagValue(call, "--resume")).toBe("latest");
    expect(flagValue(call, "--include-directories")).toBe("/a");
    expect(call.argv).toContain("--sandbox");
    expect(call.argv).toContain("--skip-trust");
    expect(call.env).toMatchObject({ GEMINI_CLI_HOME: "/conf", GEMINI_API_KEY: "AIza-secret" });
  });

  it.each([{ yolo: true }, { approvalMode: "yolo" as const }, { yolo: true, approvalMode: "yolo" as const }])(
    "name the permissive mode once: %j",
    async (options) => {
      const { call } = await gemini.observe((env) => new GeminiAgent({ env, ...options }), done);
      expect(flagValues(call, "--approval-mode")).toEqual(["yolo"]);
    },
  );
});

describe("output of gemini", () => {
  it("gives what was said after the last tool", async () => {
    const { result, actions, stdout } = await gemini.observe(agent, [
      {
        lines: [
          { type: "init", session_id: "s1", model: "m" },
          { type: "message", role: "user", content: "Do it" },
          says("I will "),
          says("look."),
          { type: "tool_use", tool_name: "read_file", tool_id: "t1", parameters: { path: "a" } },
          { type: "tool_result", tool_id: "t1", status: "error", error: { type: "x", message: "not found" } },
          says("It is "),
          says("gone."),
          end,
        ],
      },
    ]);
    expect(result).toEqual({ text: "It is gone.", sessionId: "s1" });
    expect(stdout).toBe("I will look.\nIt is gone.\n");
    expect(outline(actions)).toEqual([
      "note completed message",
      "tool started read_file",
      "tool completed read_file",
      "note completed message",
    ]);
    expect(actions[2]).toMatchObject({ ok: false, message: "not found" });
  });

  it("passes warnings on", async () => {
    const warning = { type: "error", severity: "warning", message: "Loop detected." };
    const { result, actions } = await gemini.observe(agent, [{ lines: [warning, says("Fine."), end] }]);
    expect(actions[0]).toMatchObject({ level: "warning", message: "Loop detected." });
    expect(result?.text).toBe("Fine.");
  });

  it.each([
    [41, "auth"],
    [42, "flag"],
    [53, "limit"],
  ])("means something by exit code %i", async (exit, reason) => {
    const { error } = await gemini.observe(agent, [{ exit }]);
    expect(error?.details).toMatchObject({ reason });
  });
});
