import type BetterSqlite3 from "better-sqlite3";
import { ServiceError } from "../../errors/service-error.js";
import { runAll } from "../logic/statements.js";
import { SQLITE_WORDS } from "../migrations/dialect.js";
import {
  checkVersion,
  migrationStatements,
  NEWEST_VERSION,
  readVersionQuery,
} from "../migrations/migrate.js";
import type { Work } from "../sql-port.js";
import type { SqlitePort } from "./port.js";

/**
 * Version of the engine tables; 0 in a database without them. Touches nothing,
 * so a database of a newer library is refused as it was.
 * @throws SERVICE_MIGRATION_REQUIRED
 */
export function readSchemaVersion(db: BetterSqlite3.Database, path: string): number {
  const known = db.prepare("SELECT 1 FROM sqlite_master WHERE name = '_service_migrations'").raw().all();
  if (known.length === 0) return 0;
  const rows = db.prepare(readVersionQuery.sql).raw().all() as [number][];
  const version = readVersionQuery.read(rows);
  checkVersion(version, path);
  return version;
}

/**
 * Whether a file without engine tables may get them: an empty one, or one that has some of them.
 * @throws DB_FOREIGN naming tables of another application
 */
export function refuseForeign(db: BetterSqlite3.Database, path: string): void {
  const names = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    .pluck()
    .all() as string[];
  if (names.length === 0 || names.some((name) => name.startsWith("_service_"))) return;
  throw new ServiceError(
    "DB_FOREIGN",
    `The database ${path} belongs to another application: it has the tables ${names.slice(0, 5).join(", ")}. Nothing was changed.`,
    { details: { path, tables: names.slice(0, 20) } },
  );
}

/**
 * Brings the engine tables to what this library wants, in one transaction with what
 * `makeTables` adds to them.
 */
export function prepareEngineTables(
  db: BetterSqlite3.Database,
  port: SqlitePort,
  { path, nowMs, makeTables }: { path: string; nowMs: number; makeTables: () => Work<void> },
): void {
  port.transaction(function* () {
    // Another process may have done the work while this one waited for the lock.
    const version = readSchemaVersion(db, path);
    if (version !== NEWEST_VERSION) yield* runAll(migrationStatements(version, SQLITE_WORDS, nowMs));
    yield* makeTables();
  });
}

/**
 * What a file gets besides the engine tables that it was made with. Without a sync of its own: nothing that needs it is
 * durable before it is.
 */
export function completeNewFile(
  port: SqlitePort,
  { nowMs, makeTables }: { nowMs: number; makeTables: () => Work<void> },
): void {
  port.transaction(function* () {
    yield* runAll([{ sql: "UPDATE _service_migrations SET applied_at_ms = ?", params: [nowMs] }]);
    yield* makeTables();
  }, "relaxed");
}
