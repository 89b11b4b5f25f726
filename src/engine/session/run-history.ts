import { type TaskKey, taskKey } from "../../model/address.js";
import { type AttemptRow, isDoneNode } from "../../model/node.js";
import type { RunSnapshot, Store } from "../../store/index.js";
import { storedCheckpoints } from "../turn/checkpoints.js";

/** The meaning of earlier attempts for those that follow; not part of the run snapshot. */
export interface RunHistory {
  /** Who drove the run before; null when none did. */
  readonly formerOwner: string | null;
  /** Newest checkpoint of each task that may run again, JSON. */
  readonly checkpoints: ReadonlyMap<TaskKey, string>;
  /** Newest attempt of each task whose calls of tools were undone. */
  readonly revertedAttempts: ReadonlyMap<TaskKey, number>;
  /** Of this run, for what they have spent. */
  readonly attempts: readonly AttemptRow[];
}

export const NO_HISTORY: RunHistory = {
  formerOwner: null,
  checkpoints: new Map(),
  revertedAttempts: new Map(),
  attempts: [],
};

export async function runHistory(
  store: Store,
  { run, nodes }: Pick<RunSnapshot, "run" | "nodes">,
  formerOwner: string | null,
): Promise<RunHistory> {
  const { runId, createdAtMs } = run;
  const all = await store.listAttempts(runId);
  // Attempts taken over from an earlier run of a chain were spent by that run.
  const attempts = all.filter(({ startedAtMs }) => startedAtMs >= createdAtMs);
  const checkpoints = await storedCheckpoints(store, runId, nodes);
  return {
    formerOwner,
    attempts,
    checkpoints,
    revertedAttempts: await revertedAttempts(store, runId, nodes),
  };
}

async function revertedAttempts(
  store: Store,
  runId: string,
  nodes: RunSnapshot["nodes"],
): Promise<Map<TaskKey, number>> {
  const newest = new Map<TaskKey, number>();
  if (!nodes.some(({ state, lastAttempt }) => lastAttempt > 0 && !isDoneNode(state))) return newest;
  for (const effect of await store.listToolEffects(runId)) {
    if (effect.revertState === "done") newest.set(taskKey(effect), effect.attempt);
  }
  return newest;
}
