import { describe, expect, it } from "vitest";
import { PiAgent } from "../../../../src/agents/cli/index.js";
import { useFakeTool, flagValue, flagValues } from "../support/observe.js";

const pi = useFakeTool("pi");

const agent = (env: Record<string, string>) => new PiAgent({ env });
const says = (text: string, members: object = {}) => ({
  type: "message_end",
  message: { role: "assistant", content: [{ type: "text", text }], stopReason: "stop", ...members },
});
const end = { type: "agent_end", messages: [] };
const done = [{ lines: [end] }];

describe("arguments of pi", () => {
  it("carry every option", async () => {
    const { call } = await pi.observe(
      (env) =>
        new PiAgent({
          env,
          provider: "anthropic",
          model: "claude",
          apiKey: "sk-pi-secret",
          systemPrompt: "System.",
          instructions: "Instructions.",
          appendSystemPrompt: "Appended.",
          session: "s1",
          sessionDir: "/sessions",
          noSession: true,
          models: ["a", "b"],
          tools: ["read", "grep"],
          noTools: true,
          extension: ["/e1", "/e2"],
          noExtensions: true,
          skill: ["/k"],
          noSkills: true,
          promptTemplate: ["/p"],
          noPromptTemplates: true,
          theme: ["/t"],
          noThemes: true,
          thinking: "high",
          files: ["a.ts", "b.png"],
          verbose: true,
        }),
      done,
    );
    expect(call.argv.slice(0, 3)).toEqual(["--mode", "json", "--print"]);
    for (const [flag, value] of [
      ["--provider", "anthropic"],
      ["--model", "claude"],
      ["--session", "s1"],
      ["--session-dir", "/sessions"],
      ["--models", "a,b"],
      ["--tools", "read,grep"],
      ["--skill", "/k"],
      ["--prompt-template", "/p"],
      ["--theme", "/t"],
      ["--thinking", "high"],
      ["--system-prompt", "System."],
    ] as const) {
      expect(flagValue(call, flag)).toBe(value);
    }
    expect(flagValues(call, "--extension")).toEqual(["/e1", "/e2"]);
    expect(flagValues(call, "--append-system-prompt")).toEqual(["Appended.", "Instructions."]);
    for (const what of ["session", "tools", "extensions", "skills", "prompt-templates", "themes"]) {
      expect(call.argv).toContain(`--no-${what}`);
    }
    expect(call.argv).toContain("--verbose");
    expect(call.argv.slice(-2)).toEqual(["@a.ts", "@b.png"]);
    expect(call.env["ANTHROPIC_API_KEY"]).toBe("sk-pi-secret");
    expect(call.argv.join(" ")).not.toContain("sk-pi-secret");
  });

  it.each([
    [{ model: "openai/gpt-6" }, "OPENAI_API_KEY"],
    [{}, "GEMINI_API_KEY"],
    [{ provider: "groq", model: "openai/gpt-oss" }, "GROQ_API_KEY"],
  ])("put the key where the provider looks for it: %j", async (options, variable) => {
    const build = (env: Record<string, string>) => new PiAgent({ env, apiKey: "key-of-pi-1", ...options });
    expect((await pi.observe(build, done)).call.env[variable]).toBe("key-of-pi-1");
  });

  it("continue the latest conversation", async () => {
    const { call } = await pi.observe((env) => new PiAgent({ env, continue: true }), done);
    expect(call.argv).toContain("--continue");
  });

  it("leave out what is not wanted", async () => {
    const build = (env: Record<string, string>) =>
      new PiAgent({ env, print: false, noTools: false, continue: false, listModels: false, tools: [] });
    const { call } = await pi.observe(build, done);
    expect(call.argv).toEqual(["--mode", "json"]);
  });
});

describe("output of pi", () => {
  it("may be plain text: lists, exports, answers", async () => {
    const list = [{ out: "provider  model\nlb        m1\n" }];
    const models = await pi.observe((env) => new PiAgent({ env, listModels: "m1" }), list);
    expect(models.result?.text).toContain("lb        m1");
    expect(flagValue(models.call, "--list-models")).toBe("m1");
    const all = await pi.observe((env) => new PiAgent({ env, listModels: true }), list);
    expect(all.call.argv.at(-1)).toBe("--list-models");
    const page = await pi.observe(
      (env) => new PiAgent({ env, export: "/s.jsonl" }),
      [{ out: "Wrote s.html\n" }],
    );
    expect(page.result?.text.trim()).toBe("Wrote s.html");
    const text = await pi.observe((env) => new PiAgent({ env, mode: "text" }), [{ out: "The answer.\n" }]);
    expect(text.result?.text.trim()).toBe("The answer.");
  });

  it("gives the last message, and the tokens of all", async () => {
    const usage = { input: 10, output: 2, cacheRead: 3, cacheWrite: 4 };
    const { result } = await pi.observe(agent, [
      {
        lines: [
          { type: "session", version: 3, id: "s1" },
          says("One.", { usage }),
          {
            type: "message_end",
            message: { role: "toolResult", content: [{ type: "text", text: "not mine" }] },
          },
          says("Two.", { usage, model: "m" }),
          end,
        ],
      },
    ]);
    expect(result).toEqual({
      text: "Two.",
      sessionId: "s1",
      usage: { inputTokens: 34, outputTokens: 4, cacheReadTokens: 6, cacheWriteTokens: 8, model: "m" },
    });
  });

  it("ends in an error when the last message does, though the exit code is 0", async () => {
    const failed = says("", { stopReason: "error", errorMessage: "529 Overloaded" });
    const { error } = await pi.observe(agent, [{ lines: [says("One."), failed, end] }]);
    expect(error).toMatchObject({ code: "AGENT_CLI_ERROR", details: { reason: "transient" } });
  });

  it("is well when a repeated request succeeds", async () => {
    const failed = says("", { stopReason: "error", errorMessage: "529 Overloaded" });
    const retry = { type: "auto_retry_start", attempt: 1, errorMessage: "529 Overloaded" };
    const { result, actions } = await pi.observe(agent, [{ lines: [failed, retry, says("At last."), end] }]);
    expect(result?.text).toBe("At last.");
    expect(actions).toContainEqual(expect.objectContaining({ level: "warning", message: "529 Overloaded" }));
  });

  it("shows thoughts apart", async () => {
    const content = [
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "Yes." },
    ];
    const { result, actions } = await pi.observe(agent, [{ lines: [says("", { content }), end] }]);
    expect(result?.text).toBe("Yes.");
    expect(actions[0]).toMatchObject({ entryType: "thought", message: "Hm." });
  });
});
