import { isAbsolute, join, relative, resolve } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import {
  DATABASE_FILE,
  databaseAt,
  databaseName,
  findWorkspaceFolder,
  isPostgresUrl,
  ServiceDb,
} from "../../store/index.js";
import type { GlobalOptions } from "../command.js";

/**
 * A run belongs into the database that was asked for, or that it was found in.
 * @throws CLI_USAGE when the workflow keeps its runs elsewhere
 */
export function requireDatabase(
  workflow: ServiceWorkflow,
  { cwd, databasePath }: { cwd: string; databasePath: string },
): void {
  const { path } = new ServiceDb(workflow.db);
  const asked = databaseName(databaseAt(cwd, databasePath));
  if (databaseAt(cwd, path) === asked) return;
  throw new ServiceError(
    "CLI_USAGE",
    `The workflow keeps its runs in ${path}, not in ${asked}. Call the command where the workflow finds its database.`,
    { details: { workflowDb: path, db: asked } },
  );
}

/**
 * Where commands about a run of this workflow have to look: as this call did, unless the workflow itself names a
 * database that is not the one they find from here.
 */
export function placeOfRuns<O extends GlobalOptions>(
  options: O,
  workflow: ServiceWorkflow,
  cwd: string,
): Pick<GlobalOptions, "db" | "gateway"> {
  if (options.db !== undefined || options.gateway !== undefined) return options;
  if (!keepsRuns(workflow)) return options;
  const { path } = new ServiceDb(workflow.db);
  // Where there was none, the first run here makes one.
  if (path === join(findWorkspaceFolder(cwd) ?? resolve(cwd), DATABASE_FILE)) return options;
  if (isPostgresUrl(path)) return { db: path };
  const fromHere = relative(cwd, path);
  return { db: fromHere.startsWith("..") ? path : fromHere };
}

/** False of a database in memory: no other process finds its runs. */
export function keepsRuns(workflow: ServiceWorkflow): boolean {
  const { path } = new ServiceDb(workflow.db);
  return isAbsolute(path) || isPostgresUrl(path);
}
