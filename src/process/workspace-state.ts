import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** What belongs to a SQLite database beside its file. */
const DATABASE_FILES = ["", "-wal", "-shm", "-journal", "-mark"];

/**
 * Absolute paths, without links, of the database and the state folder of a workspace, wherever a run works.
 * @param databasePath `:memory:` and its like have no files
 */
export function workspaceState(rootDir: string, databasePath: string | undefined): string[] {
  const folders = [resolve(rootDir)];
  const databases = folders.map((folder) => join(folder, "service.db"));
  if (databasePath !== undefined && isAbsolute(databasePath)) {
    databases.push(databasePath);
    folders.push(dirname(databasePath));
  }
  const files = databases.map(realPath).flatMap((path) => DATABASE_FILES.map((suffix) => path + suffix));
  return [...new Set([...files, ...folders.map((folder) => join(realPath(folder), ".service"))])];
}

/** Without links where it exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
