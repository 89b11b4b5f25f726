import { renameSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import { copyAsVersion10, writeEmptyVersion10 } from "../../support/version-10.js";

/**
 * A database as a library of version 10 leaves it, with one run, `r`, that has
 * failed. No log beside it, so that it can be read where nothing may be written.
 */
export function writeOlderDatabase(path: string): void {
  writeEmptyVersion10(path);
  const db = new Database(path);
  db.exec(
    "INSERT INTO _service_runs (run_no, run_id, workflow_name, status, created_at_ms, epoch, frame_no, next_seq) VALUES (1, 'r', 'w', 'failed', 0, 1, 0, 0)",
  );
  db.exec(
    'INSERT INTO _service_run_configs VALUES (1, \'{"maxConcurrency":4,"requireRerenderOnOutputChange":true}\')',
  );
  db.close();
}

/** Makes a database of this version one as version 10 left it. */
export function takeBackToVersion10(path: string): void {
  const copy = `${path}-version-10`;
  copyAsVersion10(path, copy);
  for (const suffix of ["", "-wal", "-shm", "-mark"]) rmSync(path + suffix, { force: true });
  renameSync(copy, path);
}
