import type { ZodObject } from "zod";
import type { AgentLike } from "./agent.js";
import type {
  ApprovalAutoApprove,
  ApprovalMode,
  ApprovalOption,
  ApprovalRequest,
  OnDeny,
} from "./approval.js";
import type { WorkflowContext } from "./context.js";
import type { TaskMemoryConfig } from "./memory.js";
import type { ScorersMap, TaskScore } from "./scorer.js";

/** How failed attempts are followed by others. */
export interface RetryPolicy {
  /** How the delay grows. @default "fixed" */
  backoff?: "fixed" | "linear" | "exponential";
  /** Milliseconds after the first failure. @default 0 */
  initialDelayMs?: number;
  /** Identical failures in a row after which the node fails with RETRY_STORM; 0 turns the guard off. @default 10 */
  maxIdenticalFailures?: number;
}

/** When the row of an earlier task will do, and which one. Any other field is part of the key. */
export interface CachePolicy {
  /** Extra key material computed from the context at render. */
  by?(ctx: WorkflowContext): unknown;
  /** Part of the key: change it to start over. */
  version?: string;
  /**
   * Replaces the node id in the key, so that differently named tasks can share rows.
   * @default the task's id
   */
  key?: string;
  /** Milliseconds from the write after which a row is no longer used. @default for ever */
  ttlMs?: number;
  /** Who shares the row: the run, all runs of workflows of this name, or all. @default "workflow" */
  scope?: "run" | "workflow" | "global";
  [extra: string]: unknown;
}

/** What kind of runner performs a task. */
export const TASK_KINDS = [
  "static",
  "compute",
  "agent",
  "approval",
  "event",
  "timer",
  "human",
  "subflow",
] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

/** First argument of a function child: rows by the names in `deps` and `needs`. */
export type TaskArguments = Record<string, unknown>;
export type ComputeFn = (args: TaskArguments, runtime: TaskRuntime) => unknown;

/** What a running task knows about itself; second argument of function children, and `getTaskRuntime()`. */
export interface TaskRuntime {
  readonly runId: string;
  readonly nodeId: string;
  readonly iteration: number;
  /** 1 for the first try. */
  readonly attempt: number;
  /** Stable across attempts and restarts: give it to services that can deduplicate. */
  readonly idempotencyKey: string;
  /** Fires on cancel, timeout, shutdown. */
  readonly signal: AbortSignal;
  /** Reports liveness; `data` (JSON, at most 1 MB) is what the next attempt sees as `lastHeartbeat`. */
  heartbeat(data?: unknown): void;
  /** Checkpoint of the previous attempt, or undefined. */
  readonly lastHeartbeat: unknown;
  /** Folder that file tools are bound to. */
  readonly rootDir: string;
  /** The option `config` of the run; {} without one. As `ctx.config`. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Writes a line into the run's log as a NodeOutput event. */
  log(message: string): void;
  /**
   * What the scorers of another task of the run say of its row: of the same iteration inside one loop, else
   * of its newest. Waits until each sampled score is there or has failed, `scorerTimeoutMs` at most; empty
   * for a task that has no row yet or no scorers. The task that asks should run after the other one.
   */
  scores(nodeId: string): Promise<TaskScore[]>;
}

/** Waits of kind `event`. */
export interface EventWait {
  name: string;
  correlationId?: string;
  timeoutMs?: number;
  onTimeout: "fail" | "skip" | "continue";
  /** The element has an `outputSchema`, which checks the payload instead of the output's. */
  hasOwnSchema?: true;
}

/** Waits of kind `timer`: exactly one member is set. */
export interface TimerWait {
  durationMs?: number;
  /** Epoch ms. */
  untilMs?: number;
}

export interface SubflowSpec {
  workflow: unknown;
  input?: Record<string, unknown>;
}

/** A task as one frame declares it. */
export interface TaskDescriptor {
  nodeId: string;
  /** Position in document order, from 0. */
  ordinal: number;
  iteration: number;
  kind: TaskKind;
  /** Innermost enclosing loop. */
  ralphId?: string;
  dependsOn?: string[];
  needs?: Record<string, string>;
  deps?: Record<string, DependencyTarget>;
  forkSource?: string;
  worktreeId?: string;
  worktreePath?: string;
  worktreeBranch?: string;
  worktreeBaseBranch?: string;
  /** Generated table object; null for nodes without a row (timers, signals without schema). */
  outputTable: unknown;
  /** SQL name of the generated table; empty without one. */
  outputTableName: string;
  /** The schema key of the output; empty without one. */
  outputKey: string;
  outputRef?: ZodObject;
  outputSchema?: ZodObject;
  parallelGroupId?: string;
  parallelMaxConcurrency?: number;
  needsApproval: boolean;
  waitAsync?: boolean;
  approvalMode?: ApprovalMode;
  approvalOnDeny?: OnDeny;
  approvalRequest?: ApprovalRequest;
  approvalOptions?: ApprovalOption[];
  approvalAllowedScopes?: string[];
  approvalAllowedUsers?: string[];
  approvalAutoApprove?: ApprovalAutoApprove;
  skipIf: boolean;
  /** Infinity by default. */
  retries: number;
  retryPolicy?: RetryPolicy;
  timeoutMs: number | null;
  heartbeatTimeoutMs: number | null;
  continueOnFail: boolean;
  cachePolicy?: CachePolicy;
  /** Its row is never taken from the cache, nor kept there, also where the workflow caches every task. */
  isUncached?: true;
  /** `cachePolicy.by` evaluated in this frame. */
  cacheBy?: unknown;
  hijack?: boolean;
  onHijackExit?: "complete" | "reopen";
  agent?: AgentLike | AgentLike[];
  fallbackAgent?: AgentLike;
  allowTools?: string[];
  /** Corrections that an answer is given that does not fit; absent = 3. */
  maxSchemaRetries?: number;
  prompt?: string;
  staticPayload?: unknown;
  computeFn?: ComputeFn;
  label?: string;
  meta?: Record<string, unknown>;
  scorers?: ScorersMap;
  memoryConfig?: TaskMemoryConfig;
  /** The named limit that its attempts count for; its agents may have limits of their own. */
  limit?: string;
  eventWait?: EventWait;
  timerWait?: TimerWait;
  subflow?: SubflowSpec;
  /** Ids of the enclosing Aspects elements, outermost first. */
  aspectIds?: string[];
  /** Changes when the definition changes; see graph/fingerprint. */
  fingerprint: string;
}

/** A resolved `deps` entry: which node's row, from which table. */
export interface DependencyTarget {
  nodeId: string;
  outputKey: string;
}
