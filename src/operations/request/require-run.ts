import { ServiceError } from "../../errors/service-error.js";
import type { RunRow } from "../../model/run.js";
import type { Store } from "../../store/contract.js";
import { name, refuseOption } from "./check-request.js";

/** @throws RUN_NOT_FOUND; INVALID_INPUT for what cannot be the id of a run */
export async function requireRun(store: Store, runId: string): Promise<RunRow> {
  if (!name.fits(runId)) refuseOption("runId", name.expected, runId);
  const run = await store.getRun(runId);
  if (run !== undefined) return run;
  throw new ServiceError("RUN_NOT_FOUND", `There is no run ${runId} in ${store.path ?? "the database"}.`, {
    details: { runId },
  });
}
