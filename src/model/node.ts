import type { SerializedError } from "../errors/ensure-error.js";
import type { NodeWait } from "./intent.js";
import type { TaskKind } from "./task.js";

export const NODE_STATES = [
  "pending",
  "waiting-approval",
  "waiting-event",
  "waiting-timer",
  "waiting-quota",
  "in-progress",
  "finished",
  "failed",
  "cancelled",
  "skipped",
] as const;

/** Where a node stands; `finished`, `failed`, `cancelled` and `skipped` are ends. */
export type NodeState = (typeof NODE_STATES)[number];
export const ATTEMPT_STATES = ["in-progress", "finished", "failed", "cancelled", "interrupted"] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

export function isTerminalNode(state: NodeState): boolean {
  return state === "finished" || state === "failed" || state === "cancelled" || state === "skipped";
}

/** It has what it was for, or is not wanted: only a reset makes it run again. */
export function isDoneNode(state: NodeState): boolean {
  return state === "finished" || state === "skipped";
}

/**
 * A task that has not begun is labelled by the newest frame, its row follows when
 * it begins: a count in the labels of a thousand tasks must not write a thousand
 * rows with every frame.
 */
export function hasFrameLabel({ state, kind }: Pick<NodeRow, "state" | "kind">): boolean {
  return state === "pending" && (kind === "static" || kind === "compute" || kind === "agent");
}

/** One mounted task as the store keeps it. */
export interface NodeRow {
  nodeId: string;
  iteration: number;
  /** As of the last commit. */
  state: NodeState;
  /** Number of the newest attempt; 0 before the first. */
  lastAttempt: number;
  /** Failed attempts that count against `retries`. */
  failures: number;
  /** Fingerprint of the newest failure; null before the first. */
  failureFingerprint: string | null;
  /** How many failures in a row have that fingerprint. */
  identicalFailures: number;
  /** Attempts in a row that died with their process. */
  interruptions: number;
  /** Epoch ms before which the node must not start or wake: back-off, timer, quota reset, wait timeout. Null when none. */
  dueAtMs: number | null;
  /** Epoch ms of entering the current waiting state. */
  waitingSinceMs: number | null;
  /** Its wait while its state is a waiting one; then whether the time of that was over; null otherwise. */
  wait: NodeWait | null;
  /** Null for rows that no task of this run wrote: seeded ones, and those of older versions. */
  kind: TaskKind | null;
  /** Schema key of the output table; empty for nodes without one. */
  outputKey: string;
  /** Id of the innermost loop around the node, if any. */
  loopId: string | null;
  /** Shown instead of the id; null without. May be an older one where `hasFrameLabel`. */
  label: string | null;
  /** Changes when the task's definition changes; compared on resume. */
  fingerprint: string;
  /** Epoch ms of the last change. */
  updatedAtMs: number;
  /** Its place in the order of completion, in which rows are listed; negative = done before the run began. Null until finished. */
  finishedSeq: number | null;
  /** Error of the newest failed attempt. */
  error: SerializedError | null;
}

/** A node before its first attempt, and again when it is reset. */
export const UNTRIED = {
  state: "pending",
  failures: 0,
  failureFingerprint: null,
  identicalFailures: 0,
  interruptions: 0,
  dueAtMs: null,
  waitingSinceMs: null,
  wait: null,
  finishedSeq: null,
  error: null,
} as const satisfies Partial<NodeRow>;

/** One attempt as the store keeps it. */
export interface AttemptRow {
  nodeId: string;
  iteration: number;
  /** 1, 2, 3 … */
  attempt: number;
  /** `interrupted`: its process died. */
  state: AttemptState;
  /** Epoch ms. */
  startedAtMs: number;
  /** Epoch ms; null while it continues. */
  finishedAtMs: number | null;
  /** Epoch ms of its last sign of life; null before the first. */
  heartbeatAtMs: number | null;
  /** JSON text of the last checkpoint given to `heartbeat(data)`. */
  heartbeatJson: string | null;
  /** The error it failed with; null otherwise. */
  error: SerializedError | null;
  /** Served from the cache. */
  cached: boolean;
  /** Kind-specific facts: agent id and model, structured-output mode, session id, child run id. */
  meta: AttemptMeta | null;
  /** Where others than the run's owner find it; absent while only that one executes it. */
  queue?: string;
  /** Names the process that executes it, as in the run's row; absent while that is the run's owner, or none yet. */
  ownerId?: string;
  /** Epoch ms at which that process no longer counts as alive unless it reports before. */
  leaseExpiresAtMs?: number;
}

export interface AttemptMeta {
  agentId?: string;
  agentModel?: string;
  outputMode?: "native" | "tool" | "prompted";
  schemaRetries?: number;
  sessionId?: string;
  childRunId?: string;
  /** File of the child run's database, where that is another one than the parent's. */
  childDatabase?: string;
  /** Number of the child run's events when the attempt saw it end. */
  childRunEvents?: number;
  /** Tokens that the child run had spent in all when the attempt ended, its own child runs included. */
  childTokens?: number;
  /** Of a task that is cached: where its row was found, or is kept. */
  cacheKey?: string;
  /** The prompt was written by a person, in the place of the task's own. */
  editedPrompt?: { by: string | null };
  /** Ids of the Aspects that stood around the task when the attempt began: what it spends counts for them. */
  aspectIds?: string[];
  [key: string]: unknown;
}
