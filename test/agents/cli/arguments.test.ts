import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  AmpAgent,
  AntigravityAgent,
  type BaseCliAgent,
  type BaseCliAgentOptions,
  ClaudeCodeAgent,
  CodexAgent,
  ForgeAgent,
  GeminiAgent,
  KimiAgent,
  OpenCodeAgent,
  PiAgent,
  VibeAgent,
} from "../../../src/agents/cli/index.js";
import { TOOLS } from "./support/engines.js";
import { createFakeTool, type FakeTool, type ToolCallRecord } from "./support/fake-tool.js";

let fake: FakeTool;
afterEach(() => fake.remove());

/** How the agent called its tool for one prompt. */
async function callOf<O extends BaseCliAgentOptions>(
  build: (env: Record<string, string>) => BaseCliAgent<O>,
  extra: Record<string, unknown> = {},
): Promise<ToolCallRecord> {
  // Any agent of the class knows which tool it runs.
  const { engine } = build({});
  const tool = TOOLS.find((candidate) => candidate.engine === engine);
  if (tool === undefined) throw new Error(`no tool for ${engine}`);
  fake = createFakeTool(tool.command);
  fake.plays(tool.answers("ok"));
  await build(fake.env).generate({ prompt: "Do it", rootDir: fake.cwd, ...extra });
  return fake.lastCall();
}

/** The arguments after `flag`, as many as asked for. */
function after(call: ToolCallRecord, flag: string, count = 1): string[] {
  const at = call.argv.indexOf(flag);
  return at === -1 ? [] : call.argv.slice(at + 1, at + 1 + count);
}

/** Every value of a flag that may be repeated. */
function valuesOf(call: ToolCallRecord, flag: string): string[] {
  return call.argv.flatMap((argument, index) => (argument === flag ? [call.argv[index + 1] as string] : []));
}

describe("every tool", () => {
  it.each(TOOLS)("$command gets prompt, folder, variables and extra arguments", async (tool) => {
    const call = await callOf((env) =>
      tool.create({ env: { ...env, MY_SETTING: "on" }, extraArgs: ["--one-more", "thing"] }),
    );
    expect(call.cwd).toBe(fake.cwd);
    expect(call.env["MY_SETTING"]).toBe("on");
    expect(call.argv.join(" ")).toContain("--one-more thing");
    const prompt = tool.promptIn === "stdin" ? call.stdin : call.argv.join(" ");
    expect(prompt).toContain("Do it");
    if (tool.promptIn === "stdin") expect(call.argv.join(" ")).not.toContain("Do it");
  });

  it.each(TOOLS)("$command hears the system prompt and the instructions", async (tool) => {
    const call = await callOf((env) =>
      tool.create({ env, systemPrompt: "You are terse.", instructions: "Use metres." }),
    );
    const heard = `${call.argv.join("\n")}\n${call.stdin}`;
    expect(heard).toContain("You are terse.");
    expect(heard).toContain("Use metres.");
  });

  it.each(TOOLS)("$command continues the conversation that the call names", async (tool) => {
    const call = await callOf((env) => tool.create({ env }), { resumeSession: "the-id" });
    expect(call.argv.join(" ")).toContain(tool.resumes("the-id").join(" "));
  });

  it.each(TOOLS)("$command runs in the agent's own folder below the task's", async (tool) => {
    fake = createFakeTool(tool.command);
    fake.plays(tool.answers("ok"));
    await tool.create({ env: fake.env, cwd: "." }).generate({ prompt: "x", rootDir: fake.cwd });
    expect(fake.lastCall().cwd).toBe(fake.cwd);
    const missing = tool.create({ env: fake.env, cwd: "nowhere" });
    await expect(missing.generate({ prompt: "x", rootDir: fake.cwd })).rejects.toMatchObject({
      code: "PROCESS_SPAWN_FAILED",
    });
  });
});

describe("ClaudeCodeAgent", () => {
  it("maps its options to flags and variables", async () => {
    const call = await callOf(
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
    );
    expect(call.argv.slice(0, 4)).toEqual(["--print", "--output-format", "stream-json", "--verbose"]);
    expect(after(call, "--model")).toEqual(["sonnet"]);
    expect(after(call, "--permission-mode")).toEqual(["acceptEdits"]);
    expect(after(call, "--allowedTools")).toEqual(["Bash(git *),Edit"]);
    expect(after(call, "--disallowedTools")).toEqual(["WebSearch"]);
    expect(after(call, "--resume")).toEqual(["s9"]);
    expect(valuesOf(call, "--add-dir")).toEqual(["/a", "/b"]);
    expect(JSON.parse(after(call, "--agents")[0] as string)).toEqual({
      reviewer: { description: "reviews", prompt: "Review." },
    });
    expect(after(call, "--system-prompt")).toEqual(["System."]);
    expect(after(call, "--append-system-prompt")).toEqual(["Appended.\n\nInstructions."]);
    expect(after(call, "--max-budget-usd")).toEqual(["1.5"]);
    expect(call.env).toMatchObject({ CLAUDE_CONFIG_DIR: "/conf", ANTHROPIC_API_KEY: "sk-ant-secret" });
    expect(call.argv.join(" ")).not.toContain("sk-ant-secret");
    expect(call.stdin).toBe("Do it");
  });

  it("starts a conversation under a given id, but lets the call's id win", async () => {
    const fresh = await callOf((env) => new ClaudeCodeAgent({ env, sessionId: "new-id" }));
    expect(after(fresh, "--session-id")).toEqual(["new-id"]);
    fake.remove();
    const build = (env: Record<string, string>) => new ClaudeCodeAgent({ env, sessionId: "new-id" });
    const resumed = await callOf(build, { resumeSession: "old-id" });
    expect(resumed.argv).not.toContain("--session-id");
    expect(after(resumed, "--resume")).toEqual(["old-id"]);
  });

  it("is permissive on demand and does not run as if inside another session", async () => {
    const call = await callOf((env) => new ClaudeCodeAgent({ env, yolo: true }));
    expect(call.argv).toContain("--dangerously-skip-permissions");
    expect(call.env["CLAUDECODE"]).toBeUndefined();
  });

  it("reads the other output formats of the tool", async () => {
    fake = createFakeTool("claude");
    fake.plays([{ out: "First line.\nSecond line.\n" }]);
    const text = new ClaudeCodeAgent({ env: fake.env, outputFormat: "text" });
    expect((await text.generate({ prompt: "x", rootDir: fake.cwd })).text.trim()).toBe(
      "First line.\nSecond line.",
    );
    expect(fake.lastCall().argv).not.toContain("--verbose");
    fake.plays([{ lines: [{ type: "result", is_error: false, result: "The answer.", session_id: "s3" }] }]);
    const json = new ClaudeCodeAgent({ env: fake.env, outputFormat: "json" });
    expect(await json.generate({ prompt: "x", rootDir: fake.cwd })).toEqual({
      text: "The answer.",
      sessionId: "s3",
    });
  });
});

describe("MCP configurations", () => {
  it("go through a private file that is gone afterwards when they are JSON", async () => {
    const config = '{"mcpServers":{"db":{"env":{"DB_TOKEN":"db-secret-9"}}}}';
    fake = createFakeTool("claude");
    fake.plays([{ lines: [{ type: "result", is_error: false, result: "ok" }] }]);
    await new ClaudeCodeAgent({ env: fake.env, mcpConfig: ["/etc/mcp.json", config] }).generate({
      prompt: "x",
      rootDir: fake.cwd,
    });
    const [path, file] = valuesOf(fake.lastCall(), "--mcp-config");
    expect(path).toBe("/etc/mcp.json");
    expect(fake.lastCall().argv.join(" ")).not.toContain("db-secret-9");
    expect(() => readFileSync(file as string)).toThrow(/ENOENT/);
  });
});

describe("CodexAgent", () => {
  it("maps its options to flags and variables", async () => {
    const call = await callOf(
      (env) =>
        new CodexAgent({
          env,
          model: "gpt-6",
          sandbox: "workspace-write",
          profile: "work",
          config: {
            model_reasoning_effort: "high",
            "tools.web_search": true,
            list: [1, "a"],
            box: { n: 1 },
            off: null,
          },
          outputSchema: "/schema.json",
          configDir: "/conf",
          apiKey: "sk-codex-secret",
        }),
    );
    expect(call.argv.slice(0, 3)).toEqual(["exec", "--json", "--skip-git-repo-check"]);
    expect(after(call, "--model")).toEqual(["gpt-6"]);
    expect(after(call, "--sandbox")).toEqual(["workspace-write"]);
    expect(after(call, "--profile")).toEqual(["work"]);
    expect(valuesOf(call, "--config")).toEqual([
      'model_reasoning_effort="high"',
      "tools.web_search=true",
      'list=[1, "a"]',
      'box={"n" = 1}',
    ]);
    expect(after(call, "--output-schema")).toEqual(["/schema.json"]);
    expect(call.argv.at(-1)).toBe("-");
    expect(call.env).toMatchObject({ CODEX_HOME: "/conf", CODEX_API_KEY: "sk-codex-secret" });
  });

  it("does what the flag for full automation stood for", async () => {
    const call = await callOf((env) => new CodexAgent({ env, fullAuto: true }));
    expect(call.argv).not.toContain("--full-auto");
    expect(after(call, "--sandbox")).toEqual(["workspace-write"]);
  });

  it("puts the flags of a resumed conversation before its subcommand", async () => {
    const call = await callOf((env) => new CodexAgent({ env, sandbox: "read-only" }), {
      resumeSession: "t1",
    });
    expect(call.argv.indexOf("--sandbox")).toBeLessThan(call.argv.indexOf("resume"));
    expect(call.argv.slice(-3)).toEqual(["resume", "t1", "-"]);
  });

  it("switches sandbox and approvals off on demand", async () => {
    const call = await callOf((env) => new CodexAgent({ env, yolo: true, config: ["a.b=1"] }));
    expect(call.argv).toContain("--dangerously-bypass-approvals-and-sandbox");
    expect(valuesOf(call, "--config")).toEqual(["a.b=1"]);
  });
});

describe("AntigravityAgent", () => {
  it("maps its options to flags and sends the prompt as an event", async () => {
    const call = await callOf(
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
    );
    expect(after(call, "--output-format")).toEqual(["stream-json"]);
    expect(after(call, "--gemini_dir")).toEqual(["/conf"]);
    expect(after(call, "--model")).toEqual(["gemini-3.8-flash-high"]);
    expect(after(call, "--conversation")).toEqual(["c1"]);
    expect(valuesOf(call, "--add-dir")).toEqual(["/a", "/b"]);
    expect(call.argv).toContain("--sandbox");
    expect(call.argv).toContain("--dangerously-skip-permissions");
    expect(call.env["ANTIGRAVITY_API_KEY"]).toBe("AIza-secret");
    expect(JSON.parse(call.stdin)).toEqual({ event: "user", message: { role: "user", content: "Do it" } });
  });

  it("continues the latest conversation", async () => {
    expect((await callOf((env) => new AntigravityAgent({ env, continue: true }))).argv).toContain(
      "--continue",
    );
  });
});

describe("GeminiAgent", () => {
  it("maps its options to flags and variables", async () => {
    const call = await callOf(
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
    );
    expect(after(call, "--approval-mode")).toEqual(["auto_edit"]);
    expect(valuesOf(call, "--extensions")).toEqual(["one", "two"]);
    expect(after(call, "--resume")).toEqual(["latest"]);
    expect(after(call, "--include-directories")).toEqual(["/a"]);
    expect(call.argv).toContain("--sandbox");
    expect(call.argv).toContain("--skip-trust");
    expect(call.env).toMatchObject({ GEMINI_CLI_HOME: "/conf", GEMINI_API_KEY: "AIza-secret" });
  });

  it("names its permissive mode once", async () => {
    const call = await callOf((env) => new GeminiAgent({ env, yolo: true, approvalMode: "yolo" }));
    expect(valuesOf(call, "--approval-mode")).toEqual(["yolo"]);
  });
});

describe("PiAgent", () => {
  it("maps its options to flags, and the key to the provider's variable", async () => {
    const call = await callOf(
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
      expect(after(call, flag)).toEqual([value]);
    }
    expect(valuesOf(call, "--extension")).toEqual(["/e1", "/e2"]);
    expect(valuesOf(call, "--append-system-prompt")).toEqual(["Appended.", "Instructions."]);
    for (const flag of ["session", "tools", "extensions", "skills", "prompt-templates", "themes"]) {
      expect(call.argv).toContain(`--no-${flag}`);
    }
    expect(call.argv).toContain("--verbose");
    expect(call.argv.slice(-2)).toEqual(["@a.ts", "@b.png"]);
    expect(call.env["ANTHROPIC_API_KEY"]).toBe("sk-pi-secret");
    expect(call.argv.join(" ")).not.toContain("sk-pi-secret");
  });

  it("lists models and exports conversations as plain text", async () => {
    fake = createFakeTool("pi");
    fake.plays([{ out: "provider  model\nlb        m1\n" }]);
    const list = new PiAgent({ env: fake.env, listModels: "m1" });
    expect((await list.generate({ prompt: "x", rootDir: fake.cwd })).text).toContain("lb        m1");
    expect(after(fake.lastCall(), "--list-models")).toEqual(["m1"]);
    await new PiAgent({ env: fake.env, export: "/s.jsonl" }).generate({ prompt: "x", rootDir: fake.cwd });
    expect(after(fake.lastCall(), "--export")).toEqual(["/s.jsonl"]);
  });
});

describe("KimiAgent", () => {
  it("maps its options to flags", async () => {
    const call = await callOf(
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
    );
    expect(call.argv.slice(0, 3)).toEqual(["--print", "--output-format", "stream-json"]);
    expect(call.argv).toContain("--no-thinking");
    expect(call.argv).toContain("--yolo");
    expect(after(call, "--agent")).toEqual(["okabe"]);
    expect(after(call, "--max-ralph-iterations")).toEqual(["3"]);
    expect(after(call, "--session")).toEqual(["s1"]);
    expect(valuesOf(call, "--mcp-config-file")[0]).toBe("/m.json");
    expect(valuesOf(call, "--mcp-config-file")).toHaveLength(2);
  });
});

describe("ForgeAgent", () => {
  it("passes model and provider by variables, since the tool has no flags for them", async () => {
    const call = await callOf(
      (env) =>
        new ForgeAgent({
          env,
          model: "open_router/anthropic/claude",
          agent: "sage",
          sandbox: "trial",
          restricted: true,
        }),
    );
    expect(call.env).toMatchObject({
      FORGE_SESSION__PROVIDER_ID: "open_router",
      FORGE_SESSION__MODEL_ID: "anthropic/claude",
      FORGE_RESTRICTED: "true",
    });
    expect(after(call, "--agent")).toEqual(["sage"]);
    expect(after(call, "--sandbox")).toEqual(["trial"]);
    fake.remove();
    const split = await callOf(
      (env) => new ForgeAgent({ env, model: "anthropic/claude", provider: "open_router" }),
    );
    expect(split.env["FORGE_SESSION__MODEL_ID"]).toBe("anthropic/claude");
  });

  it("chooses the id of a conversation, so that it can be resumed", async () => {
    fake = createFakeTool("forge");
    fake.plays([{ out: "ok\n" }]);
    const { sessionId } = await new ForgeAgent({ env: fake.env }).generate({
      prompt: "x",
      rootDir: fake.cwd,
    });
    expect(after(fake.lastCall(), "--conversation-id")).toEqual([sessionId]);
    const given = new ForgeAgent({ env: fake.env, conversationId: "mine" });
    expect((await given.generate({ prompt: "x", rootDir: fake.cwd })).sessionId).toBe("mine");
  });
});

describe("AmpAgent", () => {
  it("maps its options to flags", async () => {
    const call = await callOf(
      (env) =>
        new AmpAgent({
          env,
          model: "high",
          visibility: "private",
          mcpConfig: "/m.json",
          dangerouslyAllowAll: true,
          logLevel: "info",
        }),
    );
    expect(call.argv.slice(0, 2)).toEqual(["--execute", "--stream-json"]);
    expect(after(call, "--mode")).toEqual(["high"]);
    expect(after(call, "--visibility")).toEqual(["private"]);
    expect(after(call, "--mcp-config")).toEqual(["/m.json"]);
    expect(after(call, "--log-level")).toEqual(["info"]);
    expect(call.argv).toContain("--dangerously-allow-all");
  });
});

describe("VibeAgent", () => {
  it("maps its options to flags", async () => {
    const call = await callOf(
      (env) =>
        new VibeAgent({
          env,
          model: "devstral",
          yolo: true,
          agent: "plan",
          maxTurns: 5,
          maxPrice: 0.5,
          maxTokens: 1000,
          enabledTools: ["bash*", "grep"],
          continueSession: true,
        }),
    );
    expect(call.argv[0]).toBe("--prompt=Do it");
    expect(after(call, "--output")).toEqual(["streaming"]);
    expect(after(call, "--agent")).toEqual(["plan"]);
    expect(after(call, "--max-turns")).toEqual(["5"]);
    expect(after(call, "--max-price")).toEqual(["0.5"]);
    expect(after(call, "--max-tokens")).toEqual(["1000"]);
    expect(valuesOf(call, "--enabled-tools")).toEqual(["bash*", "grep"]);
    expect(call.argv).toContain("--continue");
    expect(call.argv).toContain("--auto-approve");
    expect(call.env["VIBE_ACTIVE_MODEL"]).toBe("devstral");
  });

  it("leaves a prompt that is too long for an argument in a file", async () => {
    const prompt = "word ".repeat(60_000);
    const call = await callOf((env) => new VibeAgent({ env }), { prompt });
    expect(call.argv[0]?.length).toBeLessThan(1_000);
    expect(call.argv[0]).toContain(join("", "prompt.md"));
  });
});

describe("OpenCodeAgent", () => {
  it("maps its options to flags", async () => {
    const call = await callOf(
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
    );
    expect(call.argv.slice(0, 3)).toEqual(["run", "--format", "json"]);
    expect(after(call, "--model")).toEqual(["anthropic/claude"]);
    expect(after(call, "--agent")).toEqual(["plan"]);
    expect(after(call, "--session")).toEqual(["ses_1"]);
    expect(after(call, "--variant")).toEqual(["high"]);
    expect(call.argv).toContain("--auto");
    expect(call.argv.filter((argument) => argument.startsWith("--file="))).toEqual([
      "--file=a.ts",
      "--file=b.ts",
    ]);
  });
});
