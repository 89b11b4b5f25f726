import { ServiceError } from "../../../errors/service-error.js";
import * as rules from "../../../options/option-rules.js";
import { CLI_CAPABILITIES } from "../../capabilities/registries.js";
import { BaseCliAgent } from "../base-cli-agent.js";
import type { CliEngine } from "../engine.js";
import type { BaseCliAgentOptions } from "../options.js";
import { createAntigravityParser } from "./antigravity-stream.js";

/** Options of Antigravity, besides those of every command-line agent. */
export interface AntigravityAgentOptions extends BaseCliAgentOptions {
  /** Refused: the tool has no such flag any more. */
  allowedMcpServerNames?: string[];
  /** Refused: the tool has no such flag any more. */
  allowedTools?: string[];
  /** Id of a conversation to continue. */
  conversation?: string;
  /** Continues the latest conversation of this machine. */
  continue?: boolean;
  /** Another name for `conversation`. */
  resume?: string;
  /** More folders of the workspace. */
  includeDirectories?: string[];
  /** Restricts the agent's terminal commands. */
  sandbox?: boolean;
  /** Folder that takes the place of `~/.gemini`. */
  configDir?: string;
  /** The same as `configDir`, by the name of the tool's flag. */
  geminiDir?: string;
  /** Goes to the tool as `ANTIGRAVITY_API_KEY` and `GEMINI_API_KEY`. */
  apiKey?: string;
}

const antigravityEngine: CliEngine<AntigravityAgentOptions> = {
  engine: "antigravity",
  title: "Antigravity",
  command: "agy",
  install: "Install it as https://antigravity.google/docs/cli says.",
  checkedAgainst: "1.2.17, on 2026-11-21: from its release notes and public recordings of its output",
  capabilities: CLI_CAPABILITIES.antigravity,
  options: {
    allowedMcpServerNames: {
      to: "removed",
      flag: "--allowed-mcp-server-names",
      instead: "Configure the servers with `agy mcp`",
    },
    allowedTools: {
      to: "removed",
      flag: "--allowed-tools",
      instead: "Set permission rules in the tool's settings",
    },
    conversation: { is: rules.name, to: "session", as: "resume" },
    continue: { is: rules.flag, to: "session", as: "continue" },
    resume: { is: rules.name, to: "session", as: "resume" },
    includeDirectories: { is: rules.texts, to: "flag", flag: "--add-dir" },
    sandbox: { to: "switch", flag: "--sandbox" },
    configDir: { is: rules.name, to: "engine" },
    geminiDir: { is: rules.name, to: "engine" },
    apiKey: { is: rules.text, to: "env", names: ["ANTIGRAVITY_API_KEY", "GEMINI_API_KEY"], secret: true },
  },
  modelFlag: "--model",
  yoloArgs: ["--dangerously-skip-permissions"],
  session: { resume: (id) => ["--conversation", id], continue: ["--continue"] },
  context: "in-prompt",
  check({ configDir, geminiDir }) {
    if (configDir !== undefined && geminiDir !== undefined && configDir !== geminiDir) {
      throw new ServiceError(
        "AGENT_CONFIG_INVALID",
        "Options `configDir` and `geminiDir` of Antigravity mean the same folder and name two.",
      );
    }
  },
  prepare({ options, flags, extraArgs, prompt }) {
    return {
      args: [
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
        // Its own limit would end the call with half an answer and exit code 0; ours ends it with an error.
        "--print-timeout",
        "24h",
        ...folderFlag(options),
        ...flags,
        ...extraArgs,
      ],
      stdin: `${JSON.stringify({ event: "user", message: { role: "user", content: prompt } })}\n`,
    };
  },
  createParser: createAntigravityParser,
  saysItsEnd: true,
  failures: [
    { kind: "quota", pattern: /individual quota|credits balance is too low/i },
    { kind: "model", pattern: /invalid model selection/i },
    { kind: "flag", pattern: /auto-denied/i },
  ],
  openSession: (sessionId, { options }) => ({ args: [...folderFlag(options), "--conversation", sessionId] }),
};

function folderFlag({ configDir, geminiDir }: AntigravityAgentOptions): string[] {
  const folder = configDir ?? geminiDir;
  return folder === undefined ? [] : ["--gemini_dir", folder];
}

/** Google Antigravity: the command `agy`. */
export class AntigravityAgent extends BaseCliAgent<AntigravityAgentOptions> {
  constructor(options: AntigravityAgentOptions = {}) {
    super(antigravityEngine, options);
  }
}
