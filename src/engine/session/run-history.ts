import { type TaskKey, taskKey } from "../../model/address.js";
import type { RunSnapshot, Store } from "../../store/contract.js";
import { storedCheckpoints } from "../turn/checkpoints.js";

/** What the attempts before mean for those that follow; not part of the run snapshot. */
export interface RunHistory {
  /** Who drove the run before; null when nobody did. */
  readonly formerOwner: string | null;
  /** Newest checkpoint of each task that may run again, JSON. */
  readonly checkpoints: ReadonlyMap<TaskKey, string>;
  /** What attempts that have ended took, and what their child runs had spent by then, for budgets. */
  readonly durations: readonly { key: TaskKey; durationMs: number; childTokens: number | undefined }[];
}

export const NO_HISTORY: RunHistory = { formerOwner: null, checkpoints: new Map(), durations: [] };

export async function runHistory(
  store: Store,
  { run, nodes }: Pick<RunSnapshot, "run" | "nodes">,
  formerOwner: string | null,
): Promise<RunHistory> {
  const { runId, createdAtMs } = run;
  const durations = (await store.listAttempts(runId)).flatMap((attempt) => {
    const { startedAtMs, finishedAtMs, meta } = attempt;
    // What came along from an earlier run of a chain was that run's to spend.
    if (finishedAtMs === null || startedAtMs < createdAtMs) return [];
    return { key: taskKey(attempt), durationMs: finishedAtMs - startedAtMs, childTokens: meta?.childTokens };
  });
  return { formerOwner, durations, checkpoints: await storedCheckpoints(store, runId, nodes) };
}
