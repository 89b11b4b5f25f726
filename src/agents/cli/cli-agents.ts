import type { AgentEngine } from "../../model/agent.js";
import type { BaseCliAgent } from "./base-cli-agent.js";
import { AmpAgent } from "./engines/amp.js";
import { AntigravityAgent } from "./engines/antigravity.js";
import { ClaudeCodeAgent } from "./engines/claude-code.js";
import { CodexAgent } from "./engines/codex.js";
import { ForgeAgent } from "./engines/forge.js";
import { GeminiAgent } from "./engines/gemini.js";
import { KimiAgent } from "./engines/kimi.js";
import { OpenCodeAgent } from "./engines/opencode.js";
import { PiAgent } from "./engines/pi.js";
import { VibeAgent } from "./engines/vibe.js";

/** One of the command-line agents, as lists of them show it. */
export interface CliAgentEntry {
  className: string;
  /** The class's position in lists of agents, as in `CliAgent1`. */
  alias: string;
  deprecated: boolean;
  /** An agent with default options, for questions about the tool. */
  create(): BaseCliAgent;
}

/** The ten agents that are command-line tools, in the order of their aliases. */
export const CLI_AGENTS: Readonly<Record<AgentEngine, CliAgentEntry>> = {
  "claude-code": entry("ClaudeCodeAgent", 1, () => new ClaudeCodeAgent()),
  codex: entry("CodexAgent", 2, () => new CodexAgent()),
  antigravity: entry("AntigravityAgent", 3, () => new AntigravityAgent()),
  gemini: { ...entry("GeminiAgent", 4, () => new GeminiAgent()), deprecated: true },
  pi: entry("PiAgent", 5, () => new PiAgent()),
  kimi: entry("KimiAgent", 6, () => new KimiAgent()),
  forge: entry("ForgeAgent", 7, () => new ForgeAgent()),
  amp: entry("AmpAgent", 8, () => new AmpAgent()),
  vibe: entry("VibeAgent", 9, () => new VibeAgent()),
  opencode: entry("OpenCodeAgent", 10, () => new OpenCodeAgent()),
};

function entry(className: string, position: number, create: () => unknown): CliAgentEntry {
  return {
    className,
    alias: `CliAgent${position}`,
    deprecated: false,
    // The classes differ in their options only, and these have none.
    create: create as () => BaseCliAgent,
  };
}
