import { resolve } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import type { RunRow } from "../../model/run.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { ServiceDb } from "../../store/service-db.js";
import { type LoadOptions, loadWorkflow } from "../loader/load-workflow.js";
import { workflowFileOf } from "./resume-target.js";

/**
 * Loads the workflow of a stored run from the file that it names.
 * @throws CLI_USAGE when the run names none, or the file keeps its runs in another database
 */
export async function loadRunWorkflow(
  run: RunRow,
  { databasePath, file, ...options }: LoadOptions & { databasePath: string; file?: string | undefined },
): Promise<ServiceWorkflow> {
  const { workflow } = await loadWorkflow(file ?? workflowFileOf(run), options);
  requireDatabase(workflow, { cwd: options.cwd, databasePath });
  return workflow;
}

/**
 * A run belongs into the database that was asked for, or that it was found in.
 * @throws CLI_USAGE when the workflow keeps its runs elsewhere
 */
export function requireDatabase(
  workflow: ServiceWorkflow,
  { cwd, databasePath }: { cwd: string; databasePath: string },
): void {
  const { path } = new ServiceDb(workflow.db);
  if (resolve(cwd, path) === resolve(cwd, databasePath)) return;
  throw new ServiceError(
    "CLI_USAGE",
    `The workflow keeps its runs in ${path}, not in ${databasePath}. Call the command where the workflow finds its database.`,
    { details: { workflowDb: path, db: databasePath } },
  );
}
