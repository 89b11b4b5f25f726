import type { BaseCliAgentOptions } from "../options.js";

/** Options of Codex, besides those of every command-line agent. */
export interface CodexAgentOptions extends BaseCliAgentOptions {
  /** The files that the agent's commands may touch. @default the tool's own: `read-only` */
  sandbox?: "read-only" | "workspace-write" | "danger-full-access";
  /** Overrides of `config.toml`: `{model_reasoning_effort: "high"}` or `["a.b=1"]`. Visible as arguments: no secrets. */
  config?: Record<string, string | number | boolean | object | null> | string[];
  /** Name of a profile of the tool's configuration. */
  profile?: string;
  /** Edits and commands in the working folder without asking: `sandbox: "workspace-write"`. */
  fullAuto?: boolean;
  /** Path of a JSON schema for the final message. */
  outputSchema?: string;
  /**
   * Whether a task's schema goes to the tool. The model then gives its final JSON at once and calls no
   * tools, so this suits extraction from the prompt alone. @default false
   */
  nativeStructuredOutput?: boolean;
  /** Where the tool keeps settings and conversations. @default `~/.codex` */
  configDir?: string;
  /** Goes to the tool as `CODEX_API_KEY` and `OPENAI_API_KEY`. */
  apiKey?: string;
}
