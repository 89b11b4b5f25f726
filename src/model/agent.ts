import type { ZodType } from "zod";

/** Anything that takes a prompt and returns an answer. */
export interface AgentLike {
  /** Attributes events and quota errors. */
  id?: string;
  /** The named limit that attempts which begin with this agent count for; its workflow's `createService` declares it. */
  limit?: string;
  /** Takes a prompt and answers: a text, a row, or a result object of the AI SDK. */
  generate(args?: AgentGenerateOptions): Promise<unknown>;
  /** By name; the names are part of cache keys. */
  tools?: Record<string, unknown>;
  /** Its abilities; part of cache keys. */
  capabilities?: AgentCapabilityRegistry;
  /** What it tells its model before every conversation, its own words aside; shown with the prompts of its tasks. */
  instructions?: string;
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
  /** Program to start. */
  command: string;
  /** Its arguments, one by one. */
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

/** An agent, as every option and prop accepts it. */
export type AgentInput = AgentLike | ToolLoopAgentLike;

/** The options of one call of an agent; agents ignore options that they do not know. */
export interface AgentGenerateOptions {
  /** The prompt of this call. A task always sets it; without it the last of `messages` asks. */
  prompt?: string;
  /**
   * The conversation so far, in the form of the AI SDK; `prompt` comes after it and is not part of it. Set for a task
   * with `memory.threadId` from the second turn on, for a `fork`, and for corrections. To an agent of the AI SDK,
   * which takes one of the two, the question goes as the last of them.
   */
  messages?: unknown[];
  /** Milliseconds that the call may take. */
  timeout?: number;
  /** Ends the call. */
  abortSignal?: AbortSignal;
  /** Absolute path of the folder that the agent works in. */
  rootDir?: string;
  /** The session to continue; wins over one that the agent's own options name. */
  resumeSession?: string;
  /** Continue `resumeSession` in a new session of its own; the one that is named stays as it is. */
  forkSession?: boolean;
  /** Begin a new session although the agent's own options name one: that one is gone. */
  freshSession?: boolean;
  /** Longest output that is kept, in bytes. */
  maxOutputBytes?: number;
  /** Called with the output of a command-line agent, as it comes. */
  onStdout?(text: string): void;
  /** The same for what it prints to stderr. */
  onStderr?(text: string): void;
  /**
   * Called with the agent's text, in pieces as small as they come, for live display: it is not
   * kept, and `onStdout` gets all of it in larger ones.
   */
  onText?(text: string): void;
  /** Called with the agent's actions while it works. */
  onEvent?(event: AgentCliEvent): void;
  /** The same as `isRetry`. */
  retry?: boolean;
  /** Whether an attempt of the task came before this one. */
  isRetry?: boolean;
  /** Number of attempts before this one: 0 for the first. */
  retryAttempt?: number;
  /** Number of the correction that is asked for within an attempt: 0 for the first answer. */
  schemaRetry?: number;
  /** Schema that the answer is to fit. */
  outputSchema?: ZodType;
  /** On whose behalf the agent is called. */
  taskContext?: AgentTaskContext;
  [key: string]: unknown;
}

/** The address of the task that an agent works for; empty outside of a workflow. */
export interface AgentTaskContext {
  runId?: string;
  nodeId?: string;
  iteration?: number;
  attempt?: number;
}

/** An event that an agent reports while it works. */
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

/** The kind of an agent's action. */
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
  /** Those of the input that were read from a cache. */
  cacheReadTokens?: number;
  /** Those of the input that were written to a cache. */
  cacheWriteTokens?: number;
  /** Those of the output that were reasoning. */
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

/** The command-line tools that there is an agent for. */
export type AgentEngine = (typeof AGENT_ENGINES)[number];

/** Abilities of a command-line agent, as far as they are known without starting it. */
export interface AgentCapabilityRegistry {
  /** Of this form. */
  version: 1;
  /** Which tool it is. */
  engine: AgentEngine;
  /** Tools that it has, by name. */
  runtimeTools: Record<
    string,
    { description?: string; source?: "builtin" | "mcp" | "extension" | "skill" | "runtime" }
  >;
  /** How it comes to MCP servers. */
  mcp: {
    bootstrap: "inline-config" | "project-config" | "allow-list" | "unsupported";
    supportsProjectScope: boolean;
    supportsUserScope: boolean;
  };
  /** Whether, and from where, it takes skills. */
  skills: { supportsSkills: boolean; installMode?: "files" | "dir" | "plugin"; serviceSkillIds: string[] };
  /** Its requests to a person while it works. */
  humanInteraction: { supportsUiRequests: boolean; methods: string[] };
  /** Names of the tools that it brings along. */
  builtIns: string[];
}

/** Whether it can be asked: an object with `generate()`. */
export function isAgent<A extends AgentInput = AgentInput>(value: unknown): value is A {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { generate?: unknown }).generate === "function"
  );
}
