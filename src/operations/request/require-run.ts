import { ServiceError } from "../../errors/service-error.js";
import type { RunRow } from "../../model/run.js";
import { refuseOption } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import type { Store } from "../../store/index.js";

/** @throws RUN_NOT_FOUND, INVALID_INPUT for what is no id */
export async function requireRun(store: Store, runId: string): Promise<RunRow> {
  if (!rules.name.fits(runId)) refuseOption("runId", rules.name.expected, runId);
  const run = await store.getRun(runId);
  if (run !== undefined) return run;
  throw new ServiceError("RUN_NOT_FOUND", `There is no run ${runId} in ${store.path ?? "the database"}.`, {
    details: { runId },
  });
}
