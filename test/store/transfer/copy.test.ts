import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyWorkspace } from "../../../src/operations/copy-workspace.js";
import { openExisting } from "../../../src/store/open-existing.js";
import { compareDatabases } from "../../../src/store/transfer/compare-databases.js";
import { createPostgresDatabase, type PostgresDatabase, query } from "../../support/postgres/database.js";
import { writeVersion10 } from "../../support/version-10.js";
import { databasePath } from "../support/database.js";

/** Runs that wait in every way, facts, schedules and deliveries, in tables of this version. */
async function filledFile(path = databasePath()): Promise<string> {
  writeVersion10(path);
  const store = openExisting(path);
  await store.prepare();
  await store.close();
  return path;
}

async function differences(one: string, other: string): Promise<string[]> {
  const tables = await compareDatabases(one, other);
  return tables.filter(({ equal }) => !equal).map(({ table }) => table);
}

let server: PostgresDatabase;
let folder: string;
let source: string;
beforeAll(async () => {
  server = await createPostgresDatabase();
  folder = mkdtempSync(join(tmpdir(), "treadle-copy-"));
  source = await filledFile(join(folder, "service.db"));
  await copyWorkspace({ from: source, to: server.url });
});
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true });
});

describe("a copy of a workspace", () => {
  it("has every row as it was, on a server and back in a file", async () => {
    expect(await differences(source, server.url)).toEqual([]);
    const back = databasePath();
    await copyWorkspace({ from: server.url, to: back });
    expect(await differences(source, back)).toEqual([]);
    const tables = await compareDatabases(source, back);
    const filled = tables.filter(({ rows: [count] }) => (count ?? 0) > 0).map(({ table }) => table);
    expect(filled).toEqual(
      expect.arrayContaining(["_service_runs", "_service_inbox", "_service_memory_words"]),
    );
  });

  it("gives new rows numbers that no row has had, also one that was deleted", async () => {
    const from = await filledFile();
    const db = new Database(from);
    db.exec("UPDATE sqlite_sequence SET seq = 5000 WHERE name = '_service_runs'");
    db.close();
    const target = await createPostgresDatabase();
    const back = databasePath();
    try {
      await copyWorkspace({ from, to: target.url });
      await copyWorkspace({ from: target.url, to: back });
      const sql = "SELECT nextval(pg_get_serial_sequence('_service_runs', 'run_no'))::int";
      expect(await query(target.url, sql)).toEqual([[5001]]);
    } finally {
      await target.remove();
    }
    const copy = new Database(back);
    const seq = copy.prepare("SELECT seq FROM sqlite_sequence WHERE name = '_service_runs'").pluck().get();
    copy.close();
    expect(seq).toBe(5000);
  });

  it("differs from the original once a value of it has changed", async () => {
    const back = databasePath();
    await copyWorkspace({ from: source, to: back });
    const db = new Database(back);
    db.exec(
      "UPDATE _service_runs SET epoch = epoch + 1 WHERE run_no = (SELECT min(run_no) FROM _service_runs)",
    );
    db.close();
    expect(await differences(source, back)).toEqual(["_service_runs"]);
  });

  it("is not made into a database that has content, which stays as it is", async () => {
    const refused = { code: "INVALID_INPUT", message: expect.stringContaining("is not empty") };
    await expect(copyWorkspace({ from: source, to: server.url })).rejects.toMatchObject(refused);
    await expect(copyWorkspace({ from: server.url, to: source })).rejects.toMatchObject(refused);
    await expect(copyWorkspace({ from: source, to: server.url, dryRun: true })).rejects.toMatchObject(
      refused,
    );
    expect(await differences(source, server.url)).toEqual([]);
  });

  it("counts and changes nothing as a dry run", async () => {
    const empty = await createPostgresDatabase();
    const file = databasePath();
    try {
      const counted = await copyWorkspace({ from: source, to: empty.url, dryRun: true });
      expect(await copyWorkspace({ from: source, to: file, dryRun: true })).toEqual(counted);
      const made = "SELECT count(*)::int FROM pg_tables WHERE schemaname = current_schema()";
      expect(await query(empty.url, made)).toEqual([[0]]);
      expect(existsSync(file)).toBe(false);
      expect(await copyWorkspace({ from: source, to: empty.url })).toEqual(counted);
    } finally {
      await empty.remove();
    }
  });

  it("is refused while a process drives a run", async () => {
    const from = await filledFile();
    const db = new Database(from);
    const owner = "another-host/1/x";
    db.prepare("UPDATE _service_runs SET owner_id = ?, heartbeat_at_ms = ? WHERE run_id = 'approval'").run(
      owner,
      Date.now(),
    );
    db.close();
    const to = databasePath();
    await expect(copyWorkspace({ from, to })).rejects.toMatchObject({
      code: "RUN_STILL_RUNNING",
      details: { runIds: ["approval"] },
    });
    expect(readdirSync(dirname(to))).toEqual([]);
  });

  it("leaves nothing of itself where it fails on the way", async () => {
    const from = await filledFile();
    const db = new Database(from);
    // The engine's rows are copied by the time that a workflow's table is found missing.
    const name = db.prepare("SELECT max(table_name) FROM _service_output_tables").pluck().get();
    db.exec(`DROP TABLE "${String(name)}"`);
    db.close();
    const to = databasePath();
    await expect(copyWorkspace({ from, to })).rejects.toMatchObject({ code: "DB_QUERY_FAILED" });
    expect(readdirSync(dirname(to))).toEqual([]);
    const empty = await createPostgresDatabase();
    try {
      await expect(copyWorkspace({ from, to: empty.url })).rejects.toThrow();
      expect(await query(empty.url, "SELECT count(*)::int FROM _service_runs")).toEqual([[0]]);
      await copyWorkspace({ from: source, to: empty.url });
    } finally {
      await empty.remove();
    }
  });
});
