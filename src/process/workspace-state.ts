import { noteSettings } from "./found-settings.js";
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";

/** Files that belong to a SQLite database beside its own. */
const COMPANIONS = ["-wal", "-shm", "-journal", "-mark"];
const STATE_FOLDER = ".service";

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
  const files = databases.map(realPath).flatMap((path) => ["", ...COMPANIONS].map((suffix) => path + suffix));
  return [...new Set([...files, ...folders.map((folder) => join(realPath(folder), STATE_FOLDER))])];
}

/**
 * Makes what can only be hidden once it is there: a journal that a command leaves beside a database becomes its
 * content when it is opened next, and workflows in a state folder are served. SQLite takes an empty file for none.
 * @param state as `workspaceState` gives it
 */
export function makeHideable(state: readonly string[]): void {
  for (const path of state) {
    try {
      if (basename(path) === STATE_FOLDER) noteSettings(path);
      if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
      if (basename(path) !== STATE_FOLDER) makeCompanion(path);
      else if (existsSync(join(dirname(path), "service.db"))) {
        mkdirSync(path, { mode: 0o700 });
        noteSettings(path);
      }
    } catch {
      // Where this user cannot make it, a command of the same user cannot either; or another process just did.
    }
  }
}

function makeCompanion(path: string): void {
  const ending = COMPANIONS.find((suffix) => path.endsWith(suffix));
  if (ending === undefined || !existsSync(path.slice(0, -ending.length))) return;
  closeSync(openSync(path, "wx", 0o600));
}

/** Without links, as far as it exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const whole = resolve(path);
    const folder = dirname(whole);
    return folder === whole ? whole : join(realPath(folder), basename(whole));
  }
}
