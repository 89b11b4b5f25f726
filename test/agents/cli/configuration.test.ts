import { describe, expect, it } from "vitest";
import * as cliAgents from "../../../src/agents/cli/index.js";
import {
  AmpAgent,
  AntigravityAgent,
  type BaseCliAgentOptions,
  BaseCliAgent,
  ClaudeCodeAgent,
  CLI_AGENTS,
  type CliEngine,
  CodexAgent,
  ForgeAgent,
  GeminiAgent,
  PiAgent,
  VibeAgent,
} from "../../../src/agents/cli/index.js";
import { claudeCodeEngine } from "../../../src/agents/cli/engines/claude-code.js";
import { isRetryable, serializeError } from "../../../src/errors/ensure-error.js";
import { AGENT_ENGINES } from "../../../src/model/agent.js";

function thrownBy(build: () => unknown): unknown {
  try {
    return build();
  } catch (error) {
    return error;
  }
}

describe("options that cannot work", () => {
  it.each([
    ["allowedTools of Antigravity", () => new AntigravityAgent({ allowedTools: ["x"] }), "allowedTools"],
    [
      "allowedMcpServerNames of Antigravity",
      () => new AntigravityAgent({ allowedMcpServerNames: ["x"] }),
      "allowedMcpServerNames",
    ],
    ["workflow of Forge", () => new ForgeAgent({ workflow: "w.yaml" }), "workflow"],
  ])("fail at once when they stand for a removed flag: %s", (_name, build, option) => {
    const error = thrownBy(build);
    expect(error).toMatchObject({ code: "AGENT_CONFIG_INVALID", details: { option } });
    expect(isRetryable(serializeError(error))).toBe(false);
  });

  it.each([
    ["codex: no sandbox, and one", () => new CodexAgent({ yolo: true, sandbox: "read-only" })],
    ["codex: two sandboxes", () => new CodexAgent({ fullAuto: true, sandbox: "read-only" })],
    ["gemini: permissive, and not", () => new GeminiAgent({ yolo: true, approvalMode: "plan" })],
    ["antigravity: two folders", () => new AntigravityAgent({ configDir: "/a", geminiDir: "/b" })],
    ["antigravity: two conversations", () => new AntigravityAgent({ conversation: "a", resume: "b" })],
    ["claude: two conversations", () => new ClaudeCodeAgent({ resume: "a", sessionId: "b" })],
    ["vibe: two conversations", () => new VibeAgent({ sessionId: "a", continueSession: true })],
    ["forge: permissive, and not", () => new ForgeAgent({ yolo: true, restricted: true })],
    ["forge: a model without provider", () => new ForgeAgent({ model: "claude" })],
    ["forge: a provider without model", () => new ForgeAgent({ provider: "anthropic" })],
    ["pi: a picker without terminal", () => new PiAgent({ resume: true })],
    ["pi: a key for nobody", () => new PiAgent({ provider: "my-own", apiKey: "k" })],
    ["pi: dialogs without RPC", () => new PiAgent({ mode: "json", onExtensionUiRequest: () => null })],
  ])("fail at once when they contradict each other: %s", (_name, build) => {
    expect(thrownBy(build)).toMatchObject({ code: "AGENT_CONFIG_INVALID" });
  });

  it.each([
    ["sandbox of Codex", () => new CodexAgent({ sandbox: "strict" as never })],
    ["visibility of Amp", () => new AmpAgent({ visibility: "world" as never })],
    ["mode of Pi", () => new PiAgent({ mode: "xml" as never })],
    ["outputFormat of Claude Code", () => new ClaudeCodeAgent({ outputFormat: "yaml" as never })],
    ["approvalMode of Gemini CLI", () => new GeminiAgent({ approvalMode: "never" as never })],
  ])("fail at once when they are none of the words that there are: %s", (_name, build) => {
    expect(thrownBy(build)).toMatchObject({
      code: "AGENT_CONFIG_INVALID",
      message: expect.stringContaining("expected one of"),
    });
  });

  it("fail at once when files are given to Pi in RPC mode", () => {
    expect(thrownBy(() => new PiAgent({ mode: "rpc", files: ["a"] }))).toMatchObject({
      code: "AGENT_RPC_FILE_ARGS",
    });
  });

  it("fail at once when they are unknown", () => {
    const misspelt = { permisionMode: "plan" } as BaseCliAgentOptions;
    expect(thrownBy(() => new ClaudeCodeAgent(misspelt))).toMatchObject({
      code: "AGENT_CONFIG_INVALID",
      details: { option: "permisionMode" },
    });
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    "fail at once when they are impossible numbers: %d",
    (number) => {
      for (const option of ["timeoutMs", "idleTimeoutMs", "maxOutputBytes"] as const) {
        expect(thrownBy(() => new CodexAgent({ [option]: number }))).toMatchObject({
          code: "AGENT_CONFIG_INVALID",
          details: { option },
        });
      }
    },
  );

  it("do not fail when they are merely not set", () => {
    const options = { resume: undefined, model: undefined, continue: false, conversation: "c" };
    expect(() => new AntigravityAgent({ ...options, allowedTools: undefined })).not.toThrow();
  });

  it("show of a list only the entry that is wrong: others may hold a credential", () => {
    const key = "key=s3cret";
    const build = [
      () => new CodexAgent({ config: [key, 5 as never] }),
      () => new ClaudeCodeAgent({ mcpConfig: [key, 5 as never] }),
    ];
    for (const error of build.map(thrownBy)) {
      expect(error).toMatchObject({ code: "AGENT_CONFIG_INVALID", message: expect.stringContaining("[1]") });
      expect(String(error)).not.toContain("s3cret");
    }
  });

  it("includes an engine that does not say what an option of its own has to be", () => {
    const options = { region: { to: "flag", flag: "--region" } };
    const engine: CliEngine<BaseCliAgentOptions> = { ...claudeCodeEngine, options } as never;
    expect(thrownBy(() => new BaseCliAgent(engine, {}))).toMatchObject({
      code: "AGENT_CONFIG_INVALID",
      details: { option: "region" },
    });
  });

  it("includes an engine without a command", () => {
    const engine: CliEngine<BaseCliAgentOptions> = { ...claudeCodeEngine, command: "", options: {} } as never;
    expect(thrownBy(() => new BaseCliAgent(engine, {}))).toMatchObject({ code: "AGENT_BUILD_COMMAND" });
  });
});

describe("the ten agents", () => {
  it("have a positional alias that is the same class", () => {
    const exported: Record<string, unknown> = cliAgents;
    const classes = Object.values(CLI_AGENTS).map(({ className, alias }) => [
      exported[className],
      exported[alias],
    ]);
    expect(classes).toHaveLength(10);
    for (const [real, alias] of classes) {
      expect(real).toBeTypeOf("function");
      expect(alias).toBe(real);
    }
  });

  it.each(AGENT_ENGINES)("know what they are: %s", (engine) => {
    const agent = CLI_AGENTS[engine].create();
    expect(agent.engine).toBe(engine);
    expect(agent.id).toBe(engine);
    expect(agent.capabilities.engine).toBe(engine);
    expect(agent.supportsNativeStructuredOutput).toBe(false);
  });

  it("take an id and a model of one's own", () => {
    const agent = new ClaudeCodeAgent({ id: "reviewer", model: "opus" });
    expect([agent.id, agent.model]).toEqual(["reviewer", "opus"]);
  });

  it("are as old as they are", () => {
    const deprecated = Object.values(CLI_AGENTS).filter((entry) => entry.deprecated);
    expect(deprecated.map(({ className }) => className)).toEqual(["GeminiAgent"]);
  });
});
