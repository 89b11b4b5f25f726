import { hasEndedEarly, hasEndedForGood, type ResumeFailure, type RunRow } from "../../model/run.js";
import type { Store } from "../../store/index.js";

/** Why the run could not be continued the last time; null when it could, it was not tried, or it has ended since. */
export async function standingRefusal(store: Store, run: RunRow): Promise<ResumeFailure | null> {
  if (hasEndedForGood(run)) return null;
  const failure = (await store.resumeFailure(run.runId)) ?? null;
  const isOver = failure !== null && hasEndedEarly(run) && failure.failedAtMs < (run.finishedAtMs ?? 0);
  return isOver ? null : failure;
}
