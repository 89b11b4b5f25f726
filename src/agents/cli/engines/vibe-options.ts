import type { BaseCliAgentOptions } from "../options.js";

/** Options of Vibe, besides those of every command-line agent. */
export interface VibeAgentOptions extends BaseCliAgentOptions {
  /** One of the tool's agents, such as `default`, `plan`, `accept-edits` or `auto-approve`. */
  agent?: string;
  /** Turns of the model at most. */
  maxTurns?: number;
  /** In US dollars. */
  maxPrice?: number;
  /** Prompt and completion tokens together. */
  maxTokens?: number;
  /** The only tools to use: names, globs, or `re:` and a pattern. */
  enabledTools?: string[];
  /** Id of a conversation to continue. */
  sessionId?: string;
  /** Continues the latest conversation. */
  continueSession?: boolean;
}
