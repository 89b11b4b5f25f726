import { CLI_CAPABILITIES } from "../../capabilities/registries.js";
import * as rules from "../../../options/option-rules.js";
import { BaseCliAgent } from "../base-cli-agent.js";
import type { CliEngine } from "../engine.js";
import type { BaseCliAgentOptions } from "../options.js";
import { createClaudeStreamParser } from "./claude-stream.js";

/** Options of Amp, besides those of every command-line agent. */
export interface AmpAgentOptions extends BaseCliAgentOptions {
  /** Who may see the thread. @default that of the repository */
  visibility?: "private" | "public" | "workspace" | "group";
  /** Path of an MCP configuration, or its JSON. */
  mcpConfig?: string;
  /** The same as `yolo`. */
  dangerouslyAllowAll?: boolean;
  /** Such as `info`. */
  logLevel?: string;
}

const ampEngine: CliEngine<AmpAgentOptions> = {
  engine: "amp",
  title: "Amp",
  command: "amp",
  install: "Install it with `npm install -g @ampcode/cli`.",
  checkedAgainst:
    "0.0.1790142911-g7618fb, on 2026-11-21: its flags with the tool itself, its stream from the manual",
  capabilities: CLI_CAPABILITIES.amp,
  options: {
    visibility: {
      is: rules.oneOf(["private", "public", "workspace", "group"]),
      to: "flag",
      flag: "--visibility",
    },
    mcpConfig: { is: rules.name, to: "json-file", flag: "--mcp-config" },
    dangerouslyAllowAll: { is: rules.flag, to: "engine" },
    logLevel: { is: rules.name, to: "flag", flag: "--log-level" },
  },
  // Amp's modes stand for a model, its prompt and its tools.
  modelFlag: "--mode",
  yoloArgs: [],
  session: { resume: (id) => ["threads", "continue", id], place: "own" },
  context: "in-prompt",
  prepare({ options, flags, sessionArgs, extraArgs, prompt }) {
    const allowsAll = options.yolo === true || options.dangerouslyAllowAll === true;
    return {
      args: [
        ...sessionArgs,
        "--execute",
        "--stream-json",
        "--no-ide",
        "--no-color",
        "--no-notifications",
        ...(allowsAll ? ["--dangerously-allow-all"] : []),
        ...flags,
        ...extraArgs,
      ],
      stdin: prompt,
    };
  },
  createParser: createClaudeStreamParser,
  saysItsEnd: true,
  failures: [
    { kind: "transient", pattern: /couldn't connect to the amp server|cannot reach amp servers/i },
    { kind: "auth", pattern: /no api key found|login failed/i },
  ],
  openSession: (sessionId) => ({ args: ["threads", "continue", sessionId] }),
};

/** Amp: the command `amp --execute`. */
export class AmpAgent extends BaseCliAgent<AmpAgentOptions> {
  constructor(options: AmpAgentOptions = {}) {
    super(ampEngine, options);
  }
}
