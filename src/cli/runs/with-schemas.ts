import { ServiceError } from "../../errors/service-error.js";
import type { RunRow } from "../../model/run.js";
import { codeCheck, type OperationTarget, type SchemaCheckOptions } from "../../operations/index.js";
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
    const root = await rootOf(db.store, run);
    const beforeRun = await codeCheck(db.store, root);
    const loading = loadWorkflow(workflowFileOf(root), { cwd, beforeRun });
    const loaded = await loading.catch((cause: unknown) => {
      if (ServiceError.is(cause, "RESUME_METADATA_MISMATCH")) return undefined;
      throw cause;
    });
    // Code that has changed runs for nobody who only answers: whoever continues the run checks what was sent.
    if (loaded === undefined) return act(db, { mustCheck: false });
    const { workflow } = loaded;
    // The workflow's schemas, not its database: what was opened is what the caller named.
    const { store } = twinDb(workflow.db as object, db.path);
    try {
      return await act(new ServiceDb(store), { mustCheck: false });
    } finally {
      await store.close();
    }
  }
}
