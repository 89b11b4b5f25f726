import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type BetterSqlite3 from "better-sqlite3";
import { SQLITE_WORDS } from "../migrations/dialect.js";
import { migrationStatements } from "../migrations/migrate.js";
import { MEMORY_PATH } from "./options.js";

/** The image as the build leaves it beside the library: drawing it takes a process that has just started some milliseconds. */
export const IMAGE_FILE = "new-database.image";

/** The bytes of a database file that has the engine tables, and nothing else: no key, no log, no time of its making. */
export function newImage(Driver: typeof BetterSqlite3): Buffer {
  return builtImage() ?? drawImage(Driver);
}

/** Undefined where the library is not as it was built: its sources, a part of another bundle. */
function builtImage(): Buffer | undefined {
  try {
    return readFileSync(join(dirname(fileURLToPath(import.meta.url)), IMAGE_FILE));
  } catch {
    return undefined;
  }
}

export function drawImage(Driver: typeof BetterSqlite3): Buffer {
  const db = new Driver(MEMORY_PATH);
  try {
    for (const { sql, params } of migrationStatements(0, SQLITE_WORDS, 0)) db.prepare(sql).run(params);
    return db.serialize();
  } finally {
    db.close();
  }
}
