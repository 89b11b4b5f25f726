import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ClaudeCodeAgent } from "../../../../src/agents/cli/index.js";
import { outline, useFakeTool, flagValue, flagValues } from "../support/observe.js";

const claude = useFakeTool("claude");

const result = (members: object = {}) => ({
  type: "result",
  subtype: "success",
  is_error: false,
  result: "ok",
  session_id: "s1",
  ...members,
});
const assistant = (content: unknown[], members: object = {}) => ({
  type: "assistant",
  message: { id: "m1", role: "assistant", content },
  parent_tool_use_id: null,
  ...members,
});
const done = [{ lines: [result()] }];

describe("arguments of claude", () => {
  it.each([
    [{ resumeSession: "s9", forkSession: true }, ["off"]],
    [{ resumeSession: "s9" }, ["off"]],
    [{}, []],
  ])(
    "take the system prompt of this agent, not the one that a conversation began with: %o",
    async (call, snapshot) => {
      const help = [{ out: "  --system-prompt-snapshot <on|off>  Record the system prompt once\n" }];
      const build = (env: Record<string, string>) =>
        new ClaudeCodeAgent({ env, instructions: "Use metres." });
      const seen = await claude.observe(build, { steps: done, commands: { "--help": help } }, call);
      expect(flagValues(seen.call, "--system-prompt-snapshot")).toEqual(snapshot);
      expect(flagValue(seen.call, "--append-system-prompt")).toBe("Use metres.");
    },
  );

  it("carry every option", async () => {
    const { call } = await claude.observe(
      (env) =>
        new ClaudeCodeAgent({
          env,
          model: "sonnet",
          permissionMode: "acceptEdits",
          allowedTools: ["Bash(git *)", "Edit"],
          disallowedTools: ["WebSearch"],
          resume: "s9",
          addDir: ["/a", "/b"],
          agents: { reviewer: { description: "reviews", prompt: "Review." } },
          systemPrompt: "System.",
          instructions: "Instructions.",
          appendSystemPrompt: "Appended.",
          configDir: "/conf",
          apiKey: "sk-ant-secret",
          maxBudgetUsd: 1.5,
        }),
      done,
    );
    expect(call.argv.slice(0, 4)).toEqual(["--print", "--output-format", "stream-json", "--verbose"]);
    expect(flagValue(call, "--model")).toBe("sonnet");
    expect(flagValue(call, "--permission-mode")).toBe("acceptEdits");
    expect(flagValue(call, "--allowedTools")).toBe("Bash(git *),Edit");
    expect(flagValue(call, "--disallowedTools")).toBe("WebSearch");
    expect(flagValue(call, "--resume")).toBe("s9");
    expect(flagValues(call, "--add-dir")).toEqual(["/a", "/b"]);
    expect(JSON.parse(flagValue(call, "--agents") ?? "")).toEqual({
      reviewer: { description: "reviews", prompt: "Review." },
    });
    expect(flagValue(call, "--system-prompt")).toBe("System.");
    expect(flagValue(call, "--append-system-prompt")).toBe("Appended.\n\nInstructions.");
    expect(flagValue(call, "--max-budget-usd")).toBe("1.5");
    expect(call.env).toMatchObject({ CLAUDE_CONFIG_DIR: "/conf", ANTHROPIC_API_KEY: "sk-ant-secret" });
    expect(call.argv.join(" ")).not.toContain("sk-ant-secret");
    expect(call.stdin).toBe("Do it");
  });

  it("name a new conversation, unless the call continues another", async () => {
    const build = (env: Record<string, string>) => new ClaudeCodeAgent({ env, sessionId: "new-id" });
    const fresh = await claude.observe(build, done);
    expect(flagValue(fresh.call, "--session-id")).toBe("new-id");
    const resumed = await claude.observe(build, done, { resumeSession: "old-id" });
    expect(resumed.call.argv).not.toContain("--session-id");
    expect(flagValue(resumed.call, "--resume")).toBe("old-id");
  });

  it("are permissive on demand, and never those of a session inside another", async () => {
    const { call } = await claude.observe((env) => new ClaudeCodeAgent({ env, yolo: true }), done);
    expect(call.argv).toContain("--dangerously-skip-permissions");
    expect(call.env["CLAUDECODE"]).toBeUndefined();
  });

  it("lead to a private file for MCP configurations in JSON, which is gone afterwards", async () => {
    const json = '{"mcpServers":{"db":{"env":{"DB_TOKEN":"db-secret-9"}}}}';
    const build = (env: Record<string, string>) =>
      new ClaudeCodeAgent({ env, mcpConfig: ["/etc/mcp.json", json] });
    const { call } = await claude.observe(build, done);
    const [path, file] = flagValues(call, "--mcp-config");
    expect(path).toBe("/etc/mcp.json");
    expect(call.argv.join(" ")).not.toContain("db-secret-9");
    expect(() => readFileSync(file as string)).toThrow(/ENOENT/);
  });

  it("take sub-agents as JSON, too", async () => {
    const agents = '{"a":{"prompt":"A."}}';
    const { call } = await claude.observe((env) => new ClaudeCodeAgent({ env, agents }), done);
    expect(flagValue(call, "--agents")).toBe(agents);
  });
});

describe("output of claude", () => {
  it("may be plain text", async () => {
    const build = (env: Record<string, string>) => new ClaudeCodeAgent({ env, outputFormat: "text" });
    const seen = await claude.observe(build, [{ out: "First line.\nSecond line.\n" }]);
    expect(seen.result?.text.trim()).toBe("First line.\nSecond line.");
    expect(seen.call.argv).not.toContain("--verbose");
  });

  it("may be one JSON object", async () => {
    const build = (env: Record<string, string>) => new ClaudeCodeAgent({ env, outputFormat: "json" });
    const seen = await claude.observe(build, [{ lines: [result({ result: "The answer." })] }]);
    expect(seen.result).toEqual({ text: "The answer.", sessionId: "s1" });
  });

  it("tells what the agent says, thinks and does", async () => {
    const { actions, stdout } = await claude.observe(
      (env) => new ClaudeCodeAgent({ env }),
      [
        {
          lines: [
            { type: "system", subtype: "init", session_id: "s1", model: "m" },
            assistant([{ type: "thinking", thinking: "Let me see." }]),
            assistant([{ type: "text", text: "I will edit." }]),
            assistant([{ type: "tool_use", id: "t1", name: "Edit", input: { file_path: "a.ts" } }]),
            {
              type: "user",
              message: {
                content: [{ type: "tool_result", tool_use_id: "t1", content: "denied", is_error: true }],
              },
            },
            result(),
          ],
        },
      ],
    );
    expect(outline(actions)).toEqual([
      "reasoning completed reasoning",
      "note completed message",
      "file_change started Edit",
      "file_change completed Edit",
    ]);
    expect(actions[2]?.action.detail).toEqual({ input: { file_path: "a.ts" } });
    expect(actions[3]).toMatchObject({ ok: false, level: "warning", message: "denied" });
    expect(stdout).toBe("I will edit.\n");
  });

  it("does not take the words of a sub-agent for the answer", async () => {
    const sub = assistant([{ type: "text", text: "Inner words." }], { parent_tool_use_id: "t1" });
    const { result: answer, actions } = await claude.observe(
      (env) => new ClaudeCodeAgent({ env }),
      [{ lines: [assistant([{ type: "text", text: "Outer words." }]), sub, result({ result: "" })] }],
    );
    expect(answer?.text).toBe("Outer words.");
    expect(actions.at(-1)).toMatchObject({ entryType: "thought", message: "Inner words." });
  });

  it("counts the tokens of its messages when the end does not", async () => {
    const usage = (input: number, output: number) => ({ input_tokens: input, output_tokens: output });
    const message = (id: string, counts: object) => ({
      type: "assistant",
      message: { id, role: "assistant", content: [], usage: counts },
    });
    const { result: answer } = await claude.observe(
      (env) => new ClaudeCodeAgent({ env }),
      [
        {
          lines: [
            message("m1", usage(10, 1)),
            message("m1", usage(10, 4)),
            message("m2", usage(20, 5)),
            result(),
          ],
        },
      ],
    );
    expect(answer?.usage).toMatchObject({ inputTokens: 30, outputTokens: 9 });
  });

  it("tells of requests that are repeated", async () => {
    const retry = { type: "system", subtype: "api_retry", error: "overloaded", error_status: 529 };
    const { actions } = await claude.observe(
      (env) => new ClaudeCodeAgent({ env }),
      [{ lines: [retry, result()] }],
    );
    expect(actions).toContainEqual(
      expect.objectContaining({ level: "warning", message: "overloaded (HTTP 529)" }),
    );
  });

  it("is a refusal where the model has stopped for one, whatever its words", async () => {
    const { error } = await claude.observe(
      (env) => new ClaudeCodeAgent({ env }),
      [
        {
          lines: [
            result({
              is_error: true,
              stop_reason: "refusal",
              result: "API Error: the model's safeguards flagged this message.",
            }),
          ],
        },
        { exit: 1 },
      ],
    );
    expect(error).toMatchObject({ code: "AGENT_REFUSED" });
  });
});
