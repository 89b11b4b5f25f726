import type { RunRow } from "../../model/run.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { type LoadOptions, loadWorkflow } from "../../loader/load-workflow.js";
import { workflowFileOf } from "./workflow-file.js";
import { chooseDatabase } from "../../store/index.js";
import { requireDatabase } from "./use-database.js";

/**
 * Loads the workflow of a stored run, from the file that it names unless another one is given.
 * @throws CLI_USAGE when the run names none, or the file keeps its runs in another database
 */
export function loadRunWorkflow(
  run: RunRow,
  { file, ...options }: DatabaseOptions & { file?: string | undefined },
): Promise<ServiceWorkflow> {
  return loadWorkflowOf({ ...options, file: file ?? workflowFileOf(run) });
}

type DatabaseOptions = LoadOptions & { databasePath: string };

/** Loads a workflow file whose runs are in this database. @throws CLI_USAGE when they are not */
export async function loadWorkflowOf({
  databasePath,
  file,
  ...options
}: DatabaseOptions & { file: string }): Promise<ServiceWorkflow> {
  chooseDatabase(databasePath);
  const { workflow } = await loadWorkflow(file, options);
  requireDatabase(workflow, { cwd: options.cwd, databasePath });
  return workflow;
}
