import type { TaskPlace } from "../model/address.js";
import type { RunConfig } from "../model/run-config.js";
import type { RunResult } from "../model/run.js";
import type { ServiceWorkflow } from "../model/workflow.js";

/** Drives the runs of subflows. */
export interface ChildRuns {
  /** Starts the run, or continues it where it stands; follows continuations. */
  drive(workflow: ServiceWorkflow, request: ChildRunRequest): Promise<ChildRunEnd>;
  /** Whether a task of the child run has begun since, or the run has come to rest. */
  hasWorked(workflow: ServiceWorkflow, child: { runId: string; sinceMs: number }): Promise<boolean>;
}

/** How a drive of a child run ended. */
export interface ChildRunEnd {
  result: RunResult;
  /** Number of the run's events: tells this end from those of earlier drives. */
  events: number;
  /** Tokens that it has spent in all, with the runs that continue it and its own child runs. */
  tokens: number;
  /** File of its database, where that is another one than the parent's. */
  database?: string;
}

export interface ChildRunRequest {
  runId: string;
  parentRunId: string;
  /** Of its node. */
  place: TaskPlace;
  input: Record<string, unknown>;
  signal: AbortSignal;
  config: RunConfig;
  /** Of the parent, see AttemptJob: whatever this process still drives for it is taken over. */
  formerOwner: string | null;
  /** Called for each event of the child run while it is driven. */
  onProgress?(): void;
}
