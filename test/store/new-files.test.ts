import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { IMAGE_FILE, drawImage } from "../../src/store/sqlite/new-image.js";
import { versions } from "../../src/store/migrations/migrate.js";
import { newRun, schemas } from "../conformance/store/fixtures.js";
import { bundleScript, runUntilKilled } from "./support/bundled-process.js";
import { databasePath, openStore } from "./support/database.js";

function prepared(path: string, journalMode?: "DELETE"): void {
  const store = openStore(path, schemas, journalMode === undefined ? {} : { journalMode });
  store.prepare();
  store.close();
}

function read<T>(path: string, ask: (db: Database.Database) => T): T {
  const db = new Database(path, { readonly: true });
  try {
    return ask(db);
  } finally {
    db.close();
  }
}

const structure = (db: Database.Database) =>
  db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid").raw().all();

describe("a new database file", () => {
  it("is, word for word, what statements make of an empty one", () => {
    const [made, empty] = [databasePath(), databasePath()];
    writeFileSync(empty, "");
    for (const path of [made, empty]) prepared(path);
    expect(read(made, structure)).toEqual(read(empty, structure));
    const pages = (db: Database.Database) => db.pragma("page_size");
    expect(read(made, pages)).toEqual(read(empty, pages));
    expect(read(made, (db) => db.pragma("integrity_check", { simple: true }))).toBe("ok");
  });

  it("is private, and nothing is left beside it", () => {
    const path = databasePath();
    prepared(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(path))).toEqual([basename(path)]);
  });

  it("has a key of its own", () => {
    const paths = [databasePath(), databasePath()];
    for (const path of paths) prepared(path);
    const keys = paths.map((path) => read(path, (db) => db.pragma("application_id", { simple: true })));
    expect(new Set([0, ...keys]).size).toBe(3);
  });

  it("says when its tables were made", () => {
    const path = databasePath();
    const before = Date.now();
    prepared(path);
    const sql = "SELECT applied_at_ms FROM _service_migrations";
    const times = read(path, (db) => db.prepare(sql).pluck().all()) as number[];
    expect(times).toHaveLength(versions.length);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(before);
  });

  it.each([
    [undefined, "wal"],
    ["DELETE" as const, "delete"],
  ])("has the journal mode that is asked for: %s", (asked, mode) => {
    const path = databasePath();
    prepared(path, asked);
    expect(read(path, (db) => db.pragma("journal_mode", { simple: true }))).toBe(mode);
  });

  it("is made by one of the processes that need it at once, and the others find it", () => {
    const path = databasePath();
    const stores = [openStore(path, schemas), openStore(path, schemas)];
    for (const store of stores) store.prepare();
    const [one, other] = stores.map((store) => store.connection.use().db.pragma("application_id"));
    expect(one).toEqual(other);
  });
});

it.each(["before", "after"])(
  "a process that is killed right %s the file appears leaves the next one nothing to mend",
  async (moment) => {
    const path = databasePath();
    await runUntilKilled(await bundleScript("killed-at-link.ts"), path, moment);
    expect(existsSync(path)).toBe(moment === "after");
    const store = openStore(path, schemas);
    store.createRun(newRun());
    expect(store.listRuns({ limit: 10 })).toHaveLength(1);
  },
);

it("the image beside the built library is the one that its sources draw", () => {
  const built = readFileSync(join(import.meta.dirname, "../../dist/src/chunks", IMAGE_FILE));
  expect(built.equals(drawImage(Database))).toBe(true);
});
