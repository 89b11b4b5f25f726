import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import {
  DATABASE_FILE,
  findWorkspaceFolder,
  type ServiceDb,
  isPostgresUrl,
  type openExisting as openStore,
  type Store,
} from "../../store/index.js";
import { type Environment, refuseInsideTask } from "./outside-tasks.js";

/** An opened database of runs, for what needs no workflow. */
export interface Workspace {
  readonly db: ServiceDb;
  readonly store: Store;
  /** Absolute path of the database, or the URL of its server, with its password. */
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
    import("../../store/open-existing.js"),
    import("../../store/service-db.js"),
  ]);
  const open = (readOnly: boolean) => opened(openExisting(path, { readOnly }));
  const store = await (options.readOnly === true ? readCurrent(open, path) : open(false));
  if (options.readOnly === false) await refuseInsideTask({ environment }, store);
  return { db: new ServiceDb(store), store, path };
}

async function opened(store: ExistingStore): Promise<ExistingStore> {
  try {
    await store.prepare();
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/**
 * For reading only. Who reads a database of an older version first brings it to this one, as who writes does.
 * @throws SERVICE_MIGRATION_REQUIRED when that cannot be: it is a newer one, or may not be written
 */
async function readCurrent(open: OpenStore, path: string): Promise<ExistingStore> {
  try {
    return await open(true);
  } catch (error) {
    const older = olderVersion(error);
    if (older === undefined) throw error;
    await upgrade(open, { path, ...older });
    return open(true);
  }
}

type ExistingStore = ReturnType<typeof openStore>;
type OpenStore = (readOnly: boolean) => Promise<ExistingStore>;

interface OlderVersion {
  version: number;
  supported: number;
}

function olderVersion(error: unknown): OlderVersion | undefined {
  if (!ServiceError.is(error, "SERVICE_MIGRATION_REQUIRED")) return undefined;
  const { version, supported } = error.details as unknown as OlderVersion;
  return version < supported ? { version, supported } : undefined;
}

async function upgrade(open: OpenStore, about: OlderVersion & { path: string }): Promise<void> {
  try {
    await (await open(false)).close();
  } catch (cause) {
    if (!ServiceError.is(cause) || !UNWRITABLE.test(String(cause.details?.sqliteCode))) throw cause;
    const { path, version, supported } = about;
    throw new ServiceError(
      "SERVICE_MIGRATION_REQUIRED",
      `The database ${path} has engine tables of version ${version} and cannot be brought to version ${supported}: the file or its folder may not be written.`,
      { cause, details: { ...about } },
    );
  }
}

/** SQLite's codes for a file, a folder or a disk that is read-only. */
const UNWRITABLE = /^SQLITE_(READONLY|PERM|CANTOPEN)/;

/** @throws CLI_DB_NOT_FOUND */
export function findDatabase(cwd: string, named: string | undefined): string {
  // Whether there is a server, its first answer tells.
  if (named !== undefined && isPostgresUrl(named)) return named;
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
