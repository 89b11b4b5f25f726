import { ServiceError } from "../../errors/service-error.js";
import type { Store } from "../../store/index.js";
import { nextFailure } from "../supervise/back-off.js";

/**
 * Keeps with the run that its code has changed, so that explanations do not suggest the same command again. Other
 * errors are not.
 */
export async function keepRefusal(
  store: Store,
  runId: string,
  { error, nowMs }: { error: unknown; nowMs: number },
): Promise<void> {
  if (!ServiceError.is(error, "RESUME_METADATA_MISMATCH")) return;
  const pendingIntents = (await store.pendingIntents(runId)).length;
  const before = await store.resumeFailure(runId);
  await store.setResumeFailure(runId, nextFailure(before, error, { nowMs, pendingIntents, code: null }));
}
