import { ServiceError } from "../../errors/service-error.js";
import type { RunRow } from "../../model/run.js";
import type { OperationTarget } from "../../operations/request/target.js";
import type { ServiceDb } from "../../store/service-db.js";

/**
 * Does something to a run with the database alone. Only when that needs to know
 * a schema (to check an answer, or the data of a signal), the run's workflow is
 * loaded and it is done again.
 */
export async function withSchemas<T>(
  db: ServiceDb,
  { run, cwd }: { run: RunRow; cwd: string },
  act: (target: OperationTarget) => Promise<T>,
): Promise<T> {
  try {
    return await act(db);
  } catch (error) {
    if (!ServiceError.is(error, "UNKNOWN_OUTPUT_SCHEMA")) throw error;
    const [{ loadWorkflow }, { workflowFileOf }] = await Promise.all([
      import("../loader/load-workflow.js"),
      import("../drive/resume-target.js"),
    ]);
    const { workflow } = await loadWorkflow(workflowFileOf(run), { cwd });
    return act(workflow);
  }
}
