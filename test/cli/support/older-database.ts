import Database from "better-sqlite3";
import { migrations } from "../../../src/store/migrations/migrate.js";
import { SQLITE_WORDS } from "../../../src/store/migrations/dialect.js";

/**
 * A database as a library of an older version leaves it, with one run, `r`, that
 * has failed. No log beside it, so that it can be read where nothing may be written.
 */
export function writeOlderDatabase(path: string, version: number): void {
  const db = new Database(path);
  const words = { ...SQLITE_WORDS, serialKey: "INTEGER PRIMARY KEY", compact: "" };
  db.exec("CREATE TABLE _service_migrations (version INTEGER PRIMARY KEY, name TEXT, applied_at_ms INTEGER)");
  for (const migration of migrations.slice(0, version)) {
    for (const sql of migration.statements(words)) db.exec(sql);
    db.prepare("INSERT INTO _service_migrations VALUES (?, ?, 0)").run(migration.version, migration.name);
  }
  db.exec(
    "INSERT INTO _service_runs (run_no, run_id, workflow_name, status, created_at_ms, epoch, frame_no, next_seq) VALUES (1, 'r', 'w', 'failed', 0, 1, 0, 0)",
  );
  db.exec(
    'INSERT INTO _service_run_configs VALUES (1, \'{"maxConcurrency":4,"requireRerenderOnOutputChange":true}\')',
  );
  db.close();
}

/** Makes a database of this version one as version 5 left it. */
export function takeBackToVersion5(path: string): void {
  const db = new Database(path);
  const later = db
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND (name GLOB '_service_schedule*' OR name GLOB '_service_webhook*' OR name GLOB '_service_limit*' OR name GLOB '_service_memory*' OR name GLOB '_service_score*') AND name NOT GLOB '_service_memory_words_*'",
    )
    .pluck()
    .all() as string[];
  for (const name of later) db.exec(`DROP TABLE ${name}`);
  db.exec("ALTER TABLE _service_usage DROP COLUMN scorer_id");
  db.exec("DELETE FROM _service_migrations WHERE version > 5");
  db.close();
}
