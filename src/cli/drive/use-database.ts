import { resolve } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { ServiceDb } from "../../store/service-db.js";

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
