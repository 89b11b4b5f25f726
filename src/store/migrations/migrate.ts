import { ServiceError } from "../../errors/service-error.js";
import { migrationTable } from "../engine-tables/catalogue.js";
import type { SqlRow, Statement } from "../sql-port.js";
import { engineTables } from "./001-engine-tables.js";
import { pauseAndWake } from "./002-pause-and-wake.js";
import { nodeWaits } from "./003-node-waits.js";
import { checksums } from "./004-checksums.js";
import { supervision } from "./005-supervision.js";
import { schedulesAndWebhooks } from "./006-schedules-and-webhooks.js";
import { limits } from "./007-limits.js";
import { scores } from "./008-scores.js";
import { memory } from "./009-memory.js";
import { scorerUsage } from "./010-scorer-usage.js";
import type { DdlWords, Migration } from "./dialect.js";

/** The whole history of the engine tables, oldest first. */
export const migrations: readonly Migration[] = [
  engineTables,
  pauseAndWake,
  nodeWaits,
  checksums,
  supervision,
  schedulesAndWebhooks,
  limits,
  scores,
  memory,
  scorerUsage,
];

export const NEWEST_VERSION = migrations.at(-1)?.version ?? 0;

const versions = migrationTable.pick("version");

/** Version of the engine tables that the rows of `_service_migrations` state; 0 for none. */
export const readVersionQuery = {
  sql: `SELECT ${versions.names()} FROM _service_migrations ORDER BY version DESC LIMIT 1`,
  params: [],
  read: (rows: readonly SqlRow[]): number => versions.first(rows)?.version ?? 0,
};

/** @throws SERVICE_MIGRATION_REQUIRED when the database is newer than this library. */
export function checkVersion(version: number, path: string): void {
  if (version <= NEWEST_VERSION) return;
  throw new ServiceError(
    "SERVICE_MIGRATION_REQUIRED",
    `The database ${path} has engine tables of version ${version}; this library knows versions up to ${NEWEST_VERSION}. Nothing was changed.`,
    { details: { path, version, supported: NEWEST_VERSION } },
  );
}

/** What brings the engine tables from `version` to the newest one; belongs into one transaction. */
export function migrationStatements(version: number, words: DdlWords, nowMs: number): Statement[] {
  const statements: Statement[] = [];
  if (version === 0) {
    statements.push({
      sql: `CREATE TABLE IF NOT EXISTS _service_migrations (
        version ${words.integer} NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at_ms ${words.integer} NOT NULL)`,
      params: [],
    });
  }
  for (const migration of migrations) {
    if (migration.version <= version) continue;
    for (const sql of migration.statements(words)) statements.push({ sql, params: [] });
    statements.push({
      sql: "INSERT INTO _service_migrations (version, name, applied_at_ms) VALUES (?, ?, ?)",
      params: [migration.version, migration.name, nowMs],
    });
  }
  return statements;
}
