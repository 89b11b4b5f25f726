import type { RunRow } from "../../model/run.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { type LoadOptions, loadWorkflow } from "../../loader/load-workflow.js";
import { workflowFileOf } from "./resume-target.js";
import { chooseDatabase } from "../../store/chosen-database.js";
import { requireDatabase } from "./use-database.js";

/**
 * Loads the workflow of a stored run from the file that it names.
 * @throws CLI_USAGE when the run names none, or the file keeps its runs in another database
 */
export async function loadRunWorkflow(
  run: RunRow,
  { databasePath, file, ...options }: LoadOptions & { databasePath: string; file?: string | undefined },
): Promise<ServiceWorkflow> {
  chooseDatabase(databasePath);
  const { workflow } = await loadWorkflow(file ?? workflowFileOf(run), options);
  requireDatabase(workflow, { cwd: options.cwd, databasePath });
  return workflow;
}
