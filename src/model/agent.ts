import type { ZodType } from "zod";

/** Anything that takes a prompt and returns an answer. */
export interface AgentLike {
  /** Attributes events and quota errors. */
  id?: string;
  generate(args?: AgentGenerateOptions): Promise<unknown>;
  tools?: Record<string, unknown>;
  capabilities?: AgentCapabilityRegistry;
  /** True when `outputSchema` is consumed through a native structured-output API. */
  supportsNativeStructuredOutput?: boolean;
  /** False when `forkSession` is nothing that this agent can do; absent counts as true. */
  supportsSessionFork?: boolean;
  /** Deterministic start-up check, run once before the first generation; a rejection fails the task without retry. */
  preflight?(args?: AgentGenerateOptions): Promise<void>;
  /**
   * How a person opens a session of this agent in a terminal; undefined when that is impossible.
   * An agent without it, or whose `started` event names no session, cannot be hijacked.
   */
  resumeCommand?(sessionId: string, taskContext?: AgentTaskContext): ResumeCommand | undefined;
}

/** How to open an agent's conversation in a terminal. */
export interface ResumeCommand {
  command: string;
  args: string[];
  /** Variables that the conversation needs; never credentials. */
  env: Record<string, string>;
}

/**
 * A tool-loop agent of the AI SDK. It works as an {@link AgentLike} as it stands; only its call
 * parameters are declared in a way that the type of a method cannot accept.
 */
export interface ToolLoopAgentLike {
  readonly version: "agent-v1";
  readonly id: string | undefined;
  readonly tools: object;
  generate(args: never): PromiseLike<unknown>;
}

/** What is accepted wherever an agent is asked for. */
export type AgentInput = AgentLike | ToolLoopAgentLike;

export interface AgentGenerateOptions {
  prompt?: string;
  messages?: unknown[];
  /** Milliseconds. */
  timeout?: number;
  abortSignal?: AbortSignal;
  rootDir?: string;
  /** The session to continue; wins over one that the agent's own options name. */
  resumeSession?: string;
  /** Continue `resumeSession` in a new session of its own; the one that is named stays as it is. */
  forkSession?: boolean;
  /** Begin a new session although the agent's own options name one: that one is gone. */
  freshSession?: boolean;
  maxOutputBytes?: number;
  onStdout?(text: string): void;
  onStderr?(text: string): void;
  onEvent?(event: AgentCliEvent): void;
  retry?: boolean;
  isRetry?: boolean;
  retryAttempt?: number;
  schemaRetry?: number;
  outputSchema?: ZodType;
  taskContext?: AgentTaskContext;
  [key: string]: unknown;
}

export interface AgentTaskContext {
  runId?: string;
  nodeId?: string;
  iteration?: number;
  attempt?: number;
}

/** What an agent reports while it works. */
export type AgentCliEvent =
  | { type: "started"; engine: string; title: string; resume?: string; detail?: string }
  | {
      type: "action";
      engine: string;
      phase: "started" | "updated" | "completed";
      entryType?: "thought" | "message";
      action: { id: string; kind: AgentActionKind; title: string; detail?: Record<string, unknown> };
      message?: string;
      ok?: boolean;
      level?: "debug" | "info" | "warning" | "error";
    }
  | {
      type: "completed";
      engine: string;
      ok: boolean;
      answer?: string;
      error?: string;
      resume?: string;
      usage?: TokenUsage;
    };

export type AgentActionKind =
  | "turn"
  | "command"
  | "tool"
  | "file_change"
  | "web_search"
  | "todo_list"
  | "reasoning"
  | "warning"
  | "note";

/** Tokens of one agent call. */
export interface TokenUsage {
  /** All of them, those read from and written to a cache included. */
  inputTokens: number;
  /** All of them, reasoning included. */
  outputTokens: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  reasoningTokens?: number;
  /** Model that answered, when the agent says so. */
  model?: string;
}

export const AGENT_ENGINES = [
  "claude-code",
  "codex",
  "antigravity",
  "gemini",
  "pi",
  "kimi",
  "forge",
  "amp",
  "vibe",
  "opencode",
] as const;

export type AgentEngine = (typeof AGENT_ENGINES)[number];

export interface AgentCapabilityRegistry {
  version: 1;
  engine: AgentEngine;
  runtimeTools: Record<
    string,
    { description?: string; source?: "builtin" | "mcp" | "extension" | "skill" | "runtime" }
  >;
  mcp: {
    bootstrap: "inline-config" | "project-config" | "allow-list" | "unsupported";
    supportsProjectScope: boolean;
    supportsUserScope: boolean;
  };
  skills: { supportsSkills: boolean; installMode?: "files" | "dir" | "plugin"; serviceSkillIds: string[] };
  humanInteraction: { supportsUiRequests: boolean; methods: string[] };
  builtIns: string[];
}
