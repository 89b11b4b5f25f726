import type { RunStatus } from "../model/run.js";
import { type OperationTarget, storeOf } from "./request/target.js";

/** A run as a list of the last ones has it. */
export interface RecentRun {
  runId: string;
  /** As it is stored. */
  status: RunStatus;
  /** Of a run that has finished: whether a task of it failed all the same. */
  hasFailures: boolean;
  createdAtMs: number;
  /** From its first step to its end, milliseconds; null before. */
  durationMs: number | null;
}

/** How the runs of one name went since a time; counted by the database. */
export interface WorkflowActivity {
  /** Runs by status. */
  counts: Partial<Record<RunStatus, number>>;
  /** Of the runs that finished or failed, the part that finished, from 0 to 1; null where none did. */
  successRate: number | null;
  /** From the first step to the end of runs that finished, milliseconds on average; null where none did. */
  meanDurationMs: number | null;
  /** Newest last. */
  recent: RecentRun[];
}

const RECENT = 20;

/** What became of the runs with this name that were made since a time; child runs count as well. */
export async function workflowActivity(
  target: OperationTarget,
  { workflowName, sinceMs }: { workflowName: string; sinceMs: number },
): Promise<WorkflowActivity> {
  const store = await storeOf(target);
  const groups = await store.runOutcomes({ workflowName, sinceMs });
  const newest = await store.listRuns({ workflowName, createdAfterMs: sinceMs, limit: RECENT });
  const counts = Object.fromEntries(groups.map(({ status, count }) => [status, count]));
  const { finished = 0, failed = 0 }: WorkflowActivity["counts"] = counts;
  return {
    counts,
    successRate: finished + failed === 0 ? null : finished / (finished + failed),
    meanDurationMs: groups.find(({ status }) => status === "finished")?.meanDurationMs ?? null,
    recent: newest
      .map(({ runId, status, summary, createdAtMs, startedAtMs, finishedAtMs }) => ({
        runId,
        status,
        hasFailures: summary?.failedChildKeys !== undefined,
        createdAtMs,
        durationMs: startedAtMs === null || finishedAtMs === null ? null : finishedAtMs - startedAtMs,
      }))
      .reverse(),
  };
}
