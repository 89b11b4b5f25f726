import type { SandboxEgress, SandboxPort, SandboxVolume, SandboxWorkspace } from "./sandbox-access.js";
import type { ZodObject } from "zod";
import type { SerializedError } from "../errors/ensure-error.js";
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

/** The purpose of a task's work, where a budget is used up. */
export type BudgetRole = "undo" | "handling" | "bookkeeping";

/** The kinds of runners that perform a task. */
export const TASK_KINDS = [
  "static",
  "compute",
  "agent",
  "approval",
  "event",
  "timer",
  "human",
  "subflow",
  "sandbox",
] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

/** First argument of a function child: rows by the names in `deps` and `needs`. */
export type TaskArguments = Record<string, unknown>;
export type ComputeFn = (args: TaskArguments, runtime: TaskRuntime) => unknown;

/** A running task's knowledge of itself; second argument of function children, and `getTaskRuntime()`. */
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
   * The scores of another task's row in this run: of the same iteration inside one loop, else
   * of its newest. Waits until each sampled score is there or has failed, `scorerTimeoutMs` at most; empty
   * for a task that has no row yet or no scorers. The task that asks should run after the other one.
   */
  scores(nodeId: string): Promise<TaskScore[]>;
  /**
   * Why another task of the run has failed for good: of those that the id may mean, the newest in the loops around
   * the task that asks. Null for one that has not failed.
   */
  failure(nodeId: string): SerializedError | null;
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

/** A part of a sandbox: the work inside, or the end, which puts its changes into the run's folder. */
export type SandboxSpec = SandboxRunSpec | SandboxEndSpec;

export interface SandboxRunSpec {
  part: "run";
  /** Id of the sandbox, as its author wrote it. */
  id: string;
  /** The child workflow, or the path of its file. Absent where a command is what runs. */
  workflow?: unknown;
  /** A program and its arguments. */
  command?: readonly string[];
  /** Of its container. */
  image?: string;
  input?: Readonly<Record<string, unknown>>;
  /** The provider itself, the id of a registered one, or a runtime that this library brings along. */
  provider: unknown;
  allowNetwork: boolean;
  allowNested: boolean;
  env: Readonly<Record<string, string>>;
  volumes: readonly SandboxVolume[];
  egress?: SandboxEgress;
  ports?: readonly SandboxPort[];
  memoryBytes: number;
  /** Processors. */
  cpuLimit?: number;
  workspace?: SandboxWorkspace;
  /** A person is asked about what it changes. */
  isReviewed: boolean;
  /** What it changes is put into the run's folder without a question. */
  isAutoAccepted: boolean;
}

export interface SandboxEndSpec {
  part: "end";
  /** Id of the sandbox, as its author wrote it. */
  id: string;
  /** The changes: put in place, put in place if the person agrees, or left where they are. */
  changes: "accept" | "review" | "leave";
}

/** A task as one frame declares it. */
export interface TaskDescriptor {
  nodeId: string;
  /** Position in document order, from 0. */
  ordinal: number;
  iteration: number;
  /** The kind of its runner. */
  kind: TaskKind;
  /** Innermost enclosing loop. */
  ralphId?: string;
  /** Ids that have to be over before it starts. */
  dependsOn?: string[];
  /** Ids by alias, whose rows a function gets. */
  needs?: Record<string, string>;
  /** Rows that a function gets, by name. */
  deps?: Record<string, DependencyTarget>;
  /** Task whose session it continues with in a copy. */
  forkSource?: string;
  /** Innermost enclosing Worktree, as the three that follow. */
  worktreeId?: string;
  /** As it was written; relative to the run's folder. */
  worktreePath?: string;
  /** Branch that is checked out there. */
  worktreeBranch?: string;
  /** Branch that it starts from. */
  worktreeBaseBranch?: string;
  /** Generated table object; null for nodes without a row (timers, signals without schema). */
  outputTable: unknown;
  /** SQL name of the generated table; empty without one. */
  outputTableName: string;
  /** The schema key of the output; empty without one. */
  outputKey: string;
  /** Schema object given as `output`. */
  outputRef?: ZodObject;
  /** Schema given beside `output`, for the answer only. */
  outputSchema?: ZodObject;
  /** Innermost enclosing group with a cap, as the one that follows. */
  parallelGroupId?: string;
  /** Tasks of the group at once. */
  parallelMaxConcurrency?: number;
  /** It is asked for before it starts. */
  needsApproval: boolean;
  /** The tasks after it do not wait for it. */
  waitAsync?: boolean;
  /** As the props of an Approval; so are all that begin so. */
  approvalMode?: ApprovalMode;
  /** The effect of a denial. */
  approvalOnDeny?: OnDeny;
  /** The question. */
  approvalRequest?: ApprovalRequest;
  /** The options to choose from, or to order. */
  approvalOptions?: ApprovalOption[];
  /** Scopes of which a decider needs one. */
  approvalAllowedScopes?: string[];
  /** Who may decide. */
  approvalAllowedUsers?: string[];
  /** The conditions under which no person is asked. */
  approvalAutoApprove?: ApprovalAutoApprove;
  /** It is skipped. */
  skipIf: boolean;
  /** Infinity by default. */
  retries: number;
  /** How long it waits between attempts. */
  retryPolicy?: RetryPolicy;
  /** Milliseconds that an attempt may take; null = any. */
  timeoutMs: number | null;
  /** Milliseconds without a heartbeat after which an attempt is given up; null = any. */
  heartbeatTimeoutMs: number | null;
  /** Its failure does not stop the run. */
  continueOnFail: boolean;
  /** When an earlier row answers. */
  cachePolicy?: CachePolicy;
  /** Its row is never taken from the cache, nor kept there, also where the workflow caches every task. */
  isUncached?: true;
  /** `cachePolicy.by` evaluated in this frame. */
  cacheBy?: unknown;
  /** A person may take its session over. */
  hijack?: boolean;
  /** The next step when the person is done. */
  onHijackExit?: "complete" | "reopen";
  /** One, or a chain of which attempt n takes the n-th. */
  agent?: AgentLike | AgentLike[];
  /** Comes after the chain. */
  fallbackAgent?: AgentLike;
  /** Tools that a command-line agent may use. */
  allowTools?: string[];
  /** Corrections that an answer is given that does not fit; absent = 3. */
  maxSchemaRetries?: number;
  /** For an agent. */
  prompt?: string;
  /** The row itself, of a static task. */
  staticPayload?: unknown;
  /** Makes the row, or with an agent the prompt. */
  computeFn?: ComputeFn;
  /** Shown instead of the id. */
  label?: string;
  /** Kept with the task, for programs that read frames. */
  meta?: Record<string, unknown>;
  /** The scorers of its row. */
  scorers?: ScorersMap;
  /** Id of the task with which it draws one lot: a scorer is for the rows of both, or for neither. */
  sampledAs?: string;
  /** Its recall and remember rules. */
  memoryConfig?: TaskMemoryConfig;
  /** The named limit that its attempts count for; its agents may have limits of their own. */
  limit?: string;
  /** The queue whose workers execute its attempts; absent: the process that drives the run. */
  queue?: string;
  /** The event that a Signal or WaitForEvent waits for. */
  eventWait?: EventWait;
  /** When a Timer fires. */
  timerWait?: TimerWait;
  /** The workflow that a Subflow runs. */
  subflow?: SubflowSpec;
  /** The part of a sandbox that it is. */
  sandbox?: SandboxSpec;
  /** Ids of the enclosing Aspects elements, outermost first. */
  aspectIds?: string[];
  /**
   * Why a used-up budget may not refuse it: it undoes something, stands in `catch` or `finally`, or is
   * a composite's own bookkeeping.
   */
  budgetRole?: BudgetRole;
  /** It counts what its `needs` come to; `byPlace` has those of them that are known by their place in a list. */
  tally?: { readonly byPlace: readonly string[] };
  /** Changes when the definition changes; see graph/fingerprint. */
  fingerprint: string;
}

/** A resolved `deps` entry: which node's row, from which table. */
export interface DependencyTarget {
  nodeId: string;
  outputKey: string;
}
