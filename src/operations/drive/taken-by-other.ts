import { ServiceError } from "../../errors/service-error.js";
import type { RunRow } from "../../model/run.js";

/** A start under the id of a run of another workflow is no repeated one, whatever its input. INVALID_INPUT */
export function takenByOther({ runId, workflowName }: RunRow): ServiceError {
  return new ServiceError(
    "INVALID_INPUT",
    `Run ${runId} exists already, of the workflow ${workflowName}: start under another id.`,
    { details: { runId, workflowName } },
  );
}
