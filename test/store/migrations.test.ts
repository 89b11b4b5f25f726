import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { ServiceError } from "../../src/errors/service-error.js";
import { NEWEST_VERSION, versions } from "../../src/store/migrations/migrate.js";
import { openExisting } from "../../src/store/open-existing.js";
import { newRun, schemas, step } from "../conformance/store/fixtures.js";
import { VERSION_10, writeEmptyVersion10 } from "../support/version-10.js";
import { databasePath, openStore } from "./support/database.js";

function refusal(call: () => unknown): ServiceError {
  try {
    call();
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error("nothing was refused");
}

/** A database that a library with one more migration has left behind. */
function databaseFromTheFuture(): string {
  const path = databasePath();
  const store = openStore(path, schemas);
  store.createRun(newRun());
  store.close();
  const db = new Database(path);
  db.prepare("INSERT INTO _service_migrations VALUES (?, 'things to come', 0)").run(NEWEST_VERSION + 1);
  db.exec("ALTER TABLE _service_runs RENAME COLUMN status TO state");
  db.pragma("journal_mode = DELETE");
  db.close();
  return path;
}

describe("the engine tables", () => {
  it("come from ordered migrations, each recorded once", () => {
    const numbers = versions.map(({ version }) => version);
    expect(numbers).toEqual(numbers.map((_number, index) => VERSION_10 + index));
    const path = databasePath();
    openStore(path, schemas).prepare();
    openStore(path, schemas).prepare();
    const { db } = openStore(path, schemas).connection.use();
    const recorded = db.prepare("SELECT version, name FROM _service_migrations ORDER BY version").raw().all();
    expect(recorded).toEqual(versions.map(({ version, name }) => [version, name]));
  });

  it("of a version that was never released are refused, and left as they are", () => {
    const path = databasePath();
    const old = new Database(path);
    old.exec("CREATE TABLE _service_migrations (version INTEGER, name TEXT, applied_at_ms INTEGER)");
    old.exec("INSERT INTO _service_migrations VALUES (9, 'memory', 0)");
    old.close();
    const before = readFileSync(path);
    const error = refusal(() => openStore(path, schemas).prepare());
    expect(error.code).toBe("SERVICE_MIGRATION_REQUIRED");
    expect(error.message).toContain(`knows versions ${VERSION_10} to ${NEWEST_VERSION}`);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("all carry the prefix", () => {
    const store = openStore(databasePath(), schemas);
    store.prepare();
    const { db } = store.connection.use();
    const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
    const own = new Set(["input", "draft", "review_notes"]);
    expect(
      names.filter((name) => !name.startsWith("_service_") && !name.startsWith("sqlite_")).sort(),
    ).toEqual([...own].sort());
  });

  it("live beside tables of another program", () => {
    const path = databasePath();
    openStore(path, schemas).createRun(newRun());
    const db = new Database(path);
    db.exec("CREATE TABLE accounts (id TEXT); INSERT INTO accounts VALUES ('a')");
    db.close();
    const { db: shared } = openStore(path, schemas).connection.use();
    expect(shared.prepare("SELECT id FROM accounts").pluck().all()).toEqual(["a"]);
  });

  it("are kept, with their rows, when a process opens the file again", () => {
    const path = databasePath();
    const first = openStore(path, schemas);
    first.createRun(newRun());
    first.commit(step({ run: { frameNo: 4 } }));
    first.close();
    expect(openStore(path, schemas).getRun("run-1")).toMatchObject({ frameNo: 4 });
  });

  it("are made as a whole: a failure in the middle leaves the file without any", () => {
    const path = databasePath();
    const db = new Database(path);
    // One of the last tables is already there, so creating it fails.
    db.exec("CREATE TABLE _service_output_columns (x)");
    db.close();
    expect(() => openStore(path, schemas).prepare()).toThrow(/_service_output_columns/);
    const after = new Database(path);
    const names = after.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
    after.close();
    expect(names).toEqual(["_service_output_columns"]);
  });
});

describe("a database of a newer version", () => {
  it("is refused, and not a byte of it is touched", () => {
    const path = databaseFromTheFuture();
    const before = readFileSync(path);
    const error = refusal(() => openStore(path, schemas).prepare());
    expect(error.code).toBe("SERVICE_MIGRATION_REQUIRED");
    expect(error.details).toEqual({
      path,
      version: NEWEST_VERSION + 1,
      oldest: VERSION_10,
      supported: NEWEST_VERSION,
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("is refused to readers as well", () => {
    const path = databaseFromTheFuture();
    for (const readOnly of [true, false]) {
      const error = refusal(() => openExisting(path, { readOnly }).listRuns({ limit: 1 }));
      expect(error.code).toBe("SERVICE_MIGRATION_REQUIRED");
    }
  });
});

describe("a reader that may not write", () => {
  it("learns that a file holds no runs", () => {
    const path = databasePath();
    const db = new Database(path);
    db.exec("CREATE TABLE accounts (id TEXT)");
    db.close();
    expect(refusal(() => openExisting(path, { readOnly: true }).listRuns({ limit: 1 })).message).toContain(
      "holds no runs",
    );
  });

  it("cannot migrate an older database, and says so", () => {
    const path = databasePath();
    writeEmptyVersion10(path);
    const error = refusal(() => openExisting(path, { readOnly: true }).listRuns({ limit: 1 }));
    expect(error.code).toBe("SERVICE_MIGRATION_REQUIRED");
    expect(error.message).toContain("for reading only");
  });
});
