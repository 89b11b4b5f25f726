import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { ServiceError } from "../../src/errors/service-error.js";
import { migrations, NEWEST_VERSION } from "../../src/store/migrations/migrate.js";
import { openExisting } from "../../src/store/create-sqlite-db.js";
import { newRun, schemas, step } from "../conformance/store/fixtures.js";
import { delivery, schedule } from "../conformance/store/host-fixtures.js";
import { databasePath, openStore } from "./support/database.js";
import { SQLITE_WORDS } from "../../src/store/migrations/dialect.js";

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
    const versions = migrations.map(({ version }) => version);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    const path = databasePath();
    openStore(path, schemas).prepare();
    openStore(path, schemas).prepare();
    const { db } = openStore(path, schemas).connection.use();
    const recorded = db.prepare("SELECT version, name FROM _service_migrations ORDER BY version").raw().all();
    expect(recorded).toEqual(migrations.map(({ version, name }) => [version, name]));
  });

  it("let runs that were waiting before there was a wake time be found when they are due", () => {
    const path = databasePath();
    const old = new Database(path);
    const words = { ...SQLITE_WORDS, compact: "" };
    old.exec(
      "CREATE TABLE _service_migrations (version INTEGER PRIMARY KEY, name TEXT, applied_at_ms INTEGER)",
    );
    for (const sql of migrations[0]?.statements(words) ?? []) old.exec(sql);
    old.exec("INSERT INTO _service_migrations VALUES (1, 'engine tables', 0)");
    const run = old.prepare(
      "INSERT INTO _service_runs (run_no, run_id, workflow_name, status, created_at_ms, epoch, frame_no, next_seq) VALUES (?, ?, 'w', ?, 0, 1, 1, 1)",
    );
    const node = old.prepare(
      "INSERT INTO _service_nodes (run_no, node_id, iteration, state, last_attempt, failures, identical_failures, due_at_ms, output_key, fingerprint, updated_at_ms) VALUES (?, ?, 0, 'waiting-timer', 0, 0, 0, ?, '', '', 0)",
    );
    const config = old.prepare(
      'INSERT INTO _service_run_configs VALUES (?, \'{"maxConcurrency":4,"requireRerenderOnOutputChange":true}\')',
    );
    for (const [no, id, status] of [
      [1, "waiting", "waiting-timer"],
      [2, "done", "finished"],
    ] as const) {
      run.run(no, id, status);
      config.run(no);
      node.run(no, "late", 2_000);
      node.run(no, "soon", 1_000);
    }
    old.close();
    const store = openStore(path, schemas);
    store.prepare();
    expect(["waiting", "done"].map((id) => store.getRun(id)?.wakeAtMs)).toEqual([1_000, null]);
  });

  it("let nodes that were waiting say what for, as the log of an older version tells it", () => {
    const path = databasePath();
    const old = new Database(path);
    const words = { ...SQLITE_WORDS, serialKey: "INTEGER PRIMARY KEY", compact: "" };
    for (const migration of migrations.slice(0, 2)) {
      for (const sql of migration.statements(words)) old.exec(sql);
    }
    old.exec(
      "CREATE TABLE _service_migrations (version INTEGER PRIMARY KEY, name TEXT, applied_at_ms INTEGER)",
    );
    old.exec("INSERT INTO _service_migrations VALUES (2, 'pause and wake', 0)");
    old.exec(
      "INSERT INTO _service_runs (run_no, run_id, workflow_name, status, created_at_ms, epoch, frame_no, next_seq) VALUES (1, 'r', 'w', 'waiting-event', 0, 1, 1, 9)",
    );
    const insert = old.prepare(
      "INSERT INTO _service_nodes (run_no, node_id, iteration, state, last_attempt, failures, identical_failures, output_key, fingerprint, updated_at_ms) VALUES (1, ?, 0, ?, 0, 0, 0, '', '', 0)",
    );
    for (const [id, state] of [
      ["asked", "waiting-approval"],
      ["child", "waiting-approval"],
      ["done", "finished"],
      ["event", "waiting-event"],
      ["timer", "waiting-timer"],
      ["quota", "waiting-quota"],
    ]) {
      insert.run(id, state);
    }
    old.exec(
      "INSERT INTO _service_approvals (run_no, node_id, iteration, status, mode, request_json, request_hash, requested_at_ms, auto_approved) VALUES (1, 'asked', 0, 'requested', 'gate', '{}', '', 0, 0)",
    );
    const event = old.prepare(
      "INSERT INTO _service_events (run_no, seq, type, timestamp_ms, node_id, iteration, payload_json) VALUES (1, ?, ?, 0, ?, 0, ?)",
    );
    event.run(1, "NodeWaitingEvent", "event", '{"event":"old"}');
    event.run(2, "NodeWaitingEvent", "event", '{"event":"paid","correlationId":"7","timeoutAtMs":5}');
    event.run(3, "TimerCreated", "timer", '{"timerId":"timer"}');
    old.close();
    const store = openStore(path, schemas);
    store.prepare();
    expect(Object.fromEntries(store.listNodes("r").map(({ nodeId, wait }) => [nodeId, wait]))).toMatchObject({
      asked: { kind: "approval" },
      child: { kind: "child" },
      done: null,
      event: { kind: "event", event: "paid", correlationId: "7" },
      timer: { kind: "timer" },
      quota: { kind: "quota" },
    });
  });

  it("let a database of a version without schedules keep its runs, and get them", () => {
    const path = databasePath();
    const old = new Database(path);
    const words = { ...SQLITE_WORDS, serialKey: "INTEGER PRIMARY KEY", compact: "" };
    old.exec(
      "CREATE TABLE _service_migrations (version INTEGER PRIMARY KEY, name TEXT, applied_at_ms INTEGER)",
    );
    for (const migration of migrations.slice(0, 5)) {
      for (const sql of migration.statements(words)) old.exec(sql);
      old.prepare("INSERT INTO _service_migrations VALUES (?, ?, 0)").run(migration.version, migration.name);
    }
    old.exec(
      "INSERT INTO _service_runs (run_no, run_id, workflow_name, status, created_at_ms, epoch, frame_no, next_seq) VALUES (1, 'r', 'w', 'finished', 0, 1, 0, 0)",
    );
    old.exec(
      'INSERT INTO _service_run_configs VALUES (1, \'{"maxConcurrency":4,"requireRerenderOnOutputChange":true}\')',
    );
    old.close();
    const store = openStore(path, schemas);
    expect(store.getRun("r")).toMatchObject({ status: "finished" });
    expect(store.schedules.create(schedule)).toBe(true);
    expect(store.schedules.get(schedule.cronId)).toEqual(schedule);
    expect(store.deliveries.receive(delivery).isNew).toBe(true);
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

  it("live beside tables of somebody else", () => {
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
    // The last table of the first migration is already there, so creating it fails.
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
    expect(error.details).toEqual({ path, version: NEWEST_VERSION + 1, supported: NEWEST_VERSION });
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
  it("is told that a file holds no runs", () => {
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
    openStore(path, schemas).prepare();
    const { db } = openStore(path, schemas).connection.use();
    db.exec("DELETE FROM _service_migrations WHERE version > 1");
    const error = refusal(() => openExisting(path, { readOnly: true }).listRuns({ limit: 1 }));
    expect(error.code).toBe("SERVICE_MIGRATION_REQUIRED");
    expect(error.message).toContain("for reading only");
  });
});
