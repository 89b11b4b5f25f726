import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SchemaMap } from "../../../src/model/schema.js";
import type { SqliteDbOptions } from "../../../src/store/create-sqlite-db.js";
import { quietDb, type QuietStore } from "../../support/quiet-store.js";

/** A fresh folder that goes away with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "treadle-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

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
