import { CLI_CAPABILITIES } from "../../capabilities/registries.js";
import * as rules from "../../../options/option-rules.js";
import { BaseCliAgent } from "../base-cli-agent.js";
import type { AskTool, CliEngine } from "../engine.js";
import type { BaseCliAgentOptions } from "../options.js";
import { createClaudeStreamParser } from "./claude-stream.js";
import { createPlainTextParser } from "./plain-text.js";

/** Options of Claude Code, besides those of every command-line agent. */
export interface ClaudeCodeAgentOptions extends BaseCliAgentOptions {
  /** @default the tool's own, which refuses what it would have to ask for */
  permissionMode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan";
  /** Such as `Bash(git *)`. */
  allowedTools?: string[];
  /** As `allowedTools`, for tools that it must not use. */
  disallowedTools?: string[];
  /** Paths of MCP configurations, or their JSON. */
  mcpConfig?: string | string[];
  /** Id of a conversation to continue. */
  resume?: string;
  /** UUID for the new conversation. */
  sessionId?: string;
  /** More folders that the tools may use. */
  addDir?: string[];
  /** Sub-agents by name, or their JSON. */
  agents?: Record<string, { description?: string; prompt?: string; [key: string]: unknown }> | string;
  /** Text after the tool's own system prompt. */
  appendSystemPrompt?: string;
  /** Where the tool keeps settings and conversations. @default `~/.claude` */
  configDir?: string;
  /** Goes to the tool as `ANTHROPIC_API_KEY`. */
  apiKey?: string;
  /** Spend of one generation, in US dollars. */
  maxBudgetUsd?: number;
  /** @default "stream-json" */
  outputFormat?: "stream-json" | "json" | "text";
}

export const claudeCodeEngine: CliEngine<ClaudeCodeAgentOptions> = {
  engine: "claude-code",
  title: "Claude Code",
  command: "claude",
  install: "Install it with `npm install -g @anthropic-ai/claude-code`.",
  checkedAgainst:
    "2.1.330, on 2026-11-22: run against a model server (flags, stream, resume, fork, failures)",
  capabilities: CLI_CAPABILITIES["claude-code"],
  options: {
    permissionMode: {
      is: rules.oneOf(["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"]),
      to: "flag",
      flag: "--permission-mode",
    },
    allowedTools: { is: rules.texts, to: "flag", flag: "--allowedTools", join: "," },
    disallowedTools: { is: rules.texts, to: "flag", flag: "--disallowedTools", join: "," },
    mcpConfig: { is: rules.textOrTexts, to: "json-file", flag: "--mcp-config" },
    resume: { is: rules.name, to: "session", as: "resume" },
    sessionId: { is: rules.name, to: "session", as: "new" },
    addDir: { is: rules.texts, to: "flag", flag: "--add-dir" },
    agents: {
      is: rules.checked(
        "an object of agents by name, or its JSON",
        (value) => rules.name.fits(value) || rules.record.fits(value),
      ),
      to: "engine",
    },
    appendSystemPrompt: { is: rules.name, to: "engine" },
    configDir: { is: rules.name, to: "env", names: ["CLAUDE_CONFIG_DIR"] },
    apiKey: { is: rules.text, to: "env", names: ["ANTHROPIC_API_KEY"], secret: true },
    maxBudgetUsd: { is: rules.positiveNumber, to: "flag", flag: "--max-budget-usd" },
    outputFormat: { is: rules.oneOf(["stream-json", "json", "text"]), to: "engine" },
  },
  modelFlag: "--model",
  yoloArgs: ["--dangerously-skip-permissions"],
  session: {
    resume: (id) => ["--resume", id],
    fork: (id) => ["--resume", id, "--fork-session"],
    new: (id) => ["--session-id", id],
  },
  context: "prepared",
  async prepare({ options, flags, session, extraArgs, prompt, systemPrompt, instructions }, ask) {
    const { agents, outputFormat = "stream-json" } = options;
    const appended = [options.appendSystemPrompt, instructions].filter((part) => part !== undefined);
    return {
      args: [
        "--print",
        "--output-format",
        outputFormat,
        // The stream is refused without it.
        ...(outputFormat === "stream-json" ? ["--verbose"] : []),
        ...flags,
        ...(session === undefined || session.as === "new" ? [] : await ownInstructions(ask)),
        ...(systemPrompt === undefined ? [] : ["--system-prompt", systemPrompt]),
        ...(appended.length === 0 ? [] : ["--append-system-prompt", appended.join("\n\n")]),
        ...(agents === undefined
          ? []
          : ["--agents", typeof agents === "string" ? agents : JSON.stringify(agents)]),
        ...extraArgs,
      ],
      stdin: prompt,
    };
  },
  createParser: ({ options }) =>
    options.outputFormat === "text" ? createPlainTextParser() : createClaudeStreamParser(),
  saysItsEnd: true,
  failures: [
    { kind: "limit", pattern: /(?:exceeded|reached) .{0,20}budget/i },
    { kind: "flag", pattern: /cannot be used with root/i },
  ],
  // Earlier versions refuse to start inside a session of their own.
  unsetEnv: ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"],
  authCheck: {
    args: ["auth", "status"],
    // Settings that are handed over may name an `apiKeyHelper`.
    applies: ({ extraArgs = [] }) => !extraArgs.some((argument) => /^--settings\b/.test(argument)),
    isMissing: ({ output }) => /"loggedIn":\s*false/.test(output),
  },
  toolLimit: {
    chosen: ({ allowedTools }) => allowedTools,
    apply: (options, tools) => ({
      ...options,
      // Allowed tools must not be asked for; `Bash(git *)` is an allowance for the tool `Bash`.
      allowedTools: [...tools],
      extraArgs: [
        ...(options.extraArgs ?? []),
        "--tools",
        [...new Set(tools.map((tool) => tool.replace(/\(.*$/s, "")))].join(","),
      ],
    }),
  },
  openSession: (sessionId) => ({ args: ["--resume", sessionId] }),
};

const SNAPSHOT = "--system-prompt-snapshot";

/**
 * A conversation keeps the system prompt that it began with, which may be that of another agent. Earlier
 * versions take the new one and do not know the flag.
 */
async function ownInstructions(ask: AskTool): Promise<string[]> {
  const help = await ask(["--help"]);
  return help?.includes(SNAPSHOT) === true ? [SNAPSHOT, "off"] : [];
}

/** Claude Code: the command `claude`. */
export class ClaudeCodeAgent extends BaseCliAgent<ClaudeCodeAgentOptions> {
  constructor(options: ClaudeCodeAgentOptions = {}) {
    super(claudeCodeEngine, options);
  }
}
