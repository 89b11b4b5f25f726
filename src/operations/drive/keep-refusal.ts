import { ServiceError } from "../../errors/service-error.js";
import type { Store } from "../../store/index.js";
import { nextFailure } from "../supervise/back-off.js";

/**
 * That the code has changed is kept with the run: whoever asks what to do next is not sent the same way again. Other
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
