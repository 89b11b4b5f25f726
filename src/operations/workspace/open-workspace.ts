import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import type { Store } from "../../store/contract.js";
import type { ServiceDb } from "../../store/service-db.js";
import { DATABASE_FILE, findWorkspaceFolder } from "../../store/workspace-folder.js";
import { type Environment, refuseInsideTask } from "./outside-tasks.js";

/** An opened database of runs, for what needs no workflow. */
export interface Workspace {
  readonly db: ServiceDb;
  readonly store: Store;
  /** Absolute path of the database. */
  readonly path: string;
}

/**
 * Opens the database that is named, else `service.db` of the nearest parent folder
 * that has one or a `.service` folder.
 * Who says that they write (`readOnly: false`) must not be at work for a task.
 * @throws CLI_DB_NOT_FOUND, TASK_MAY_NOT_DECIDE, and what opening throws
 */
export async function openWorkspace(
  { cwd, environment }: { cwd: string; environment: Environment },
  options: { db?: string; readOnly?: boolean },
): Promise<Workspace> {
  const path = findDatabase(cwd, options.db);
  const [{ openExisting }, { ServiceDb }] = await Promise.all([
    import("../../store/create-sqlite-db.js"),
    import("../../store/service-db.js"),
  ]);
  const store = openExisting(path, { readOnly: options.readOnly ?? false });
  store.prepare();
  if (options.readOnly === false) await refuseInsideTask({ environment }, store);
  return { db: new ServiceDb(store), store, path };
}

/** @throws CLI_DB_NOT_FOUND */
export function findDatabase(cwd: string, named: string | undefined): string {
  if (named !== undefined) {
    const path = resolve(cwd, named);
    if (existsSync(path)) return path;
    throw new ServiceError("CLI_DB_NOT_FOUND", `There is no database ${named}.`, {
      details: { path: named },
    });
  }
  const folder = findWorkspaceFolder(cwd);
  const path = folder === undefined ? undefined : join(folder, DATABASE_FILE);
  if (path !== undefined && existsSync(path)) return path;
  const where = folder === undefined ? "this folder and its parents" : relative(cwd, folder) || "this folder";
  throw new ServiceError(
    "CLI_DB_NOT_FOUND",
    `There is no service.db in ${where}: no run was started here yet.`,
    {
      details: { cwd },
    },
  );
}
