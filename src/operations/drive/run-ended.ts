import { ServiceError } from "../../errors/service-error.js";
import type { RunRow } from "../../model/run.js";
import { newestOfChain, type Store } from "../../store/index.js";

/** The refusal of what an ended run has no use for; it names the run that continues instead. */
export async function runEnded(store: Store, run: RunRow, what: string): Promise<ServiceError> {
  const { runId, status } = run;
  const nextRunId = (await newestOfChain(store, runId))?.runId ?? runId;
  const continues = status === "continued" && nextRunId !== runId;
  return new ServiceError(
    "RUN_NOT_ACTIVE",
    `Run ${runId} is ${status}; ${what}.${continues ? ` It continues as run ${nextRunId}.` : ""}`,
    { details: { runId, status, ...(continues && { nextRunId }) } },
  );
}
