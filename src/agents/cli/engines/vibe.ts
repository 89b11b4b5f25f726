import { CLI_CAPABILITIES } from "../../capabilities/registries.js";
import * as rules from "../../../options/option-rules.js";
import { BaseCliAgent } from "../base-cli-agent.js";
import type { CliEngine } from "../engine.js";
import { promptArgument } from "../prompt.js";
import { readChatMessage } from "./chat-messages.js";
import { findVibeSession } from "./vibe-session.js";
import type { VibeAgentOptions } from "./vibe-options.js";

const vibeEngine: CliEngine<VibeAgentOptions> = {
  engine: "vibe",
  title: "Mistral Vibe",
  command: "vibe",
  install: "Install it with `uv tool install mistral-vibe`.",
  checkedAgainst: "2.18.4, on 2026-11-21: from its source",
  capabilities: CLI_CAPABILITIES.vibe,
  options: {
    agent: { is: rules.name, to: "flag", flag: "--agent" },
    maxTurns: { is: rules.positiveInteger, to: "flag", flag: "--max-turns" },
    maxPrice: { is: rules.positiveNumber, to: "flag", flag: "--max-price" },
    maxTokens: { is: rules.positiveInteger, to: "flag", flag: "--max-tokens" },
    enabledTools: { is: rules.texts, to: "flag", flag: "--enabled-tools" },
    sessionId: { is: rules.name, to: "session", as: "resume" },
    continueSession: { is: rules.flag, to: "session", as: "continue" },
  },
  // The model is part of the configuration, which variables override.
  modelFlag: null,
  yoloArgs: ["--auto-approve", "--trust"],
  session: { resume: (id) => ["--resume", id], continue: ["--continue"] },
  context: "in-prompt",
  async prepare({ options, flags, extraArgs, prompt, files }) {
    const text = await promptArgument(prompt, (name, content) => files.write(name, content));
    return {
      // Without a terminal the tool drops what it reads from stdin, so the prompt is an argument. One
      // that begins with a dash would be taken for a flag if it were an argument of its own.
      args: [`--prompt=${text}`, "--output", "streaming", ...flags, ...extraArgs],
      ...(options.model !== undefined && { env: { VIBE_ACTIVE_MODEL: options.model } }),
    };
  },
  createParser: () => ({ json: (line, { transcript }) => readChatMessage(line, transcript) }),
  saysItsEnd: false,
  failures: [
    {
      kind: "limit",
      pattern: /(?:turn|price|token|cost) limit|limit .{0,30}exceeded: |max(?:imum)? (?:turns|price|tokens)/i,
    },
    { kind: "auth", pattern: /set the environment variable|vibe --setup/i },
  ],
  toolLimit: {
    chosen: ({ enabledTools }) => enabledTools,
    // No tool has an empty name: that is how to enable none.
    apply: (options, tools) => ({ ...options, enabledTools: tools.length === 0 ? ["re:^$"] : [...tools] }),
  },
  async afterRun({ call, transcript }) {
    transcript.session(await findVibeSession(call));
  },
  openSession: (sessionId) => ({ args: ["--resume", sessionId] }),
};

/** Mistral Vibe: the command `vibe`. */
export class VibeAgent extends BaseCliAgent<VibeAgentOptions> {
  constructor(options: VibeAgentOptions = {}) {
    super(vibeEngine, options);
  }
}
