import type { AgentUse, QuotaWait } from "../model/agent-use.js";
import type { RunStatus } from "../model/run.js";
import type { Awaitable } from "../util/awaitable.js";

/** Which scores are put together by time. */
export interface ScoreTrendFilter {
  /** Only those of tasks that finished at this time, or later. */
  sinceMs: number;
  /** The name on `<Workflow>`. @default all */
  workflowName?: string;
}

/** Scores of one scorer in the runs of one workflow, within one span of time. */
export interface ScoreTrendRow {
  workflowName: string;
  scorerId: string;
  scorerName: string;
  /** Where the span begins, epoch milliseconds. */
  startMs: number;
  count: number;
  /** Of all their scores. */
  sum: number;
  min: number;
  max: number;
}

/** A score, with the task and the run that it is of. */
export interface NewestScore {
  runId: string;
  workflowName: string;
  nodeId: string;
  iteration: number;
  scorerId: string;
  scorerName: string;
  score: number;
  /** When its task finished, epoch milliseconds. */
  sampledAtMs: number;
}

/** Runs of one status. */
export interface RunOutcome {
  status: RunStatus;
  count: number;
  /** Of those that have ended, from the first step to the end, milliseconds; null where none has. */
  meanDurationMs: number | null;
}

/** What a database counts over many runs. */
export interface AcrossRuns {
  /** Runs of a name that were made since a time, by status. */
  runOutcomes(filter: { workflowName: string; sinceMs: number }): Awaitable<RunOutcome[]>;
  /** Scores that are there by workflow, scorer and span of `stepMs`, counted from the epoch; only spans with scores, oldest first. */
  scoreTrend(filter: ScoreTrendFilter, stepMs: number): Awaitable<ScoreTrendRow[]>;
  /** Scores that are there, the newest first. */
  newestScores(filter: ScoreTrendFilter, limit: number): Awaitable<NewestScore[]>;
  /** Calls since the time, by agent and model; the one with the most tokens first. */
  agentUse(sinceMs: number): Awaitable<AgentUse[]>;
  /** Tasks that wait for quota, of runs that have not ended; the first to be woken first. */
  quotaWaits(limit: number): Awaitable<QuotaWait[]>;
}
