import type { TokenUsage } from "../model/agent.js";
import type { AttemptRow } from "../model/node.js";
import type { Intent, UnreadableIntent } from "../model/intent.js";

/* Rows that are written or read as they stand here, by the contract of a store. */

/** Whose attempt was at work, and when. */
export type AttemptTimes = Pick<AttemptRow, "nodeId" | "iteration" | "startedAtMs" | "finishedAtMs">;

export interface OutputWrite {
  outputKey: string;
  nodeId: string;
  iteration: number;
  columns: unknown[];
}

export interface NewIntent {
  runId: string;
  intent: Intent;
  createdAtMs: number;
  /** At most one intent per run and key, consumed or not. */
  dedupeKey?: string;
}

export interface StoredIntent {
  id: number;
  runId: string;
  intent: Intent | UnreadableIntent;
  createdAtMs: number;
  /** A process that drove the run has taken note of it. */
  seen: boolean;
}

export interface UsageRow extends TokenUsage {
  runId: string;
  nodeId: string;
  iteration: number;
  attempt: number;
  /** 0, 1, 2 … within the attempt. */
  callNo: number;
  agentId: string;
  /** The scorer whose call it was; absent for the task's own. */
  scorerId?: string;
  atMs: number;
}

export interface CacheRow {
  cacheKey: string;
  outputKey: string;
  /** Signature of the codec that encoded `columns`. */
  signature: string;
  columns: unknown[];
  workflowName: string;
  nodeId: string;
  createdAtMs: number;
  /** Epoch ms; null = never. */
  expiresAtMs: number | null;
}
