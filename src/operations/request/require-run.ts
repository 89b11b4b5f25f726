import { ServiceError } from "../../errors/service-error.js";
import type { RunRow } from "../../model/run.js";
import type { Store } from "../../store/contract.js";

/** @throws RUN_NOT_FOUND */
export async function requireRun(store: Store, runId: string): Promise<RunRow> {
  const run = await store.getRun(runId);
  if (run !== undefined) return run;
  throw new ServiceError("RUN_NOT_FOUND", `There is no run ${runId} in ${store.path ?? "the database"}.`, {
    details: { runId },
  });
}
