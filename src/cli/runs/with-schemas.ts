import { ServiceError } from "../../errors/service-error.js";
import type { RunRow } from "../../model/run.js";
import type { OperationTarget, SchemaCheckOptions } from "../../operations/index.js";
import { ServiceDb } from "../../store/index.js";

/**
 * Does something to a run with the database alone. Only when that needs to know
 * a schema (to check an answer, or the data of a signal), the run's workflow is
 * loaded and it is done again. A child run may have other schemas than that:
 * there whoever drives it checks what was sent.
 */
export async function withSchemas<T>(
  db: ServiceDb,
  { run, cwd }: { run: RunRow; cwd: string },
  act: (target: OperationTarget, options: Required<SchemaCheckOptions>) => Promise<T>,
): Promise<T> {
  try {
    return await act(db, { mustCheck: true });
  } catch (error) {
    if (!ServiceError.is(error, "UNKNOWN_OUTPUT_SCHEMA")) throw error;
    const [{ loadWorkflow }, { rootOf }, { workflowFileOf }, { twinDb }] = await Promise.all([
      import("../../loader/load-workflow.js"),
      import("../../operations/children/root-run.js"),
      import("../drive/workflow-file.js"),
      import("../../store/create-sqlite-db.js"),
    ]);
    const { workflow } = await loadWorkflow(workflowFileOf(await rootOf(db.store, run)), { cwd });
    // The workflow's schemas, not its database: what was opened is what the caller named.
    const { store } = twinDb(workflow.db as object, db.path);
    try {
      return await act(new ServiceDb(store), { mustCheck: false });
    } finally {
      await store.close();
    }
  }
}
