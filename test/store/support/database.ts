import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SchemaMap } from "../../../src/model/schema.js";
import type { SqliteDbOptions } from "../../../src/store/create-sqlite-db.js";
import { quietDb, type QuietStore } from "../../support/quiet-store.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** Path of a database file that does not exist yet. */
export function databasePath(): string {
  return join(temporaryFolder(), "service.db");
}

/** A store on `path` that is closed with the test. */
export function openStore(
  path: string,
  schemas: SchemaMap,
  options: Partial<SqliteDbOptions> = {},
): QuietStore {
  const { store } = quietDb({ path, schemas, ...options });
  onTestFinished(() => store.close());
  return store;
}
