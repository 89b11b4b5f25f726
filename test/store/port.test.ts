import { describe, expect, it } from "vitest";
import { ServiceError } from "../../src/errors/service-error.js";
import type { Statement, SyncSqlPort } from "../../src/store/sql-port.js";
import { codeOf, schemas } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";

function portWithNotes(): SyncSqlPort {
  const port = openStore(databasePath(), schemas).sql;
  port.write([{ sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT UNIQUE)", params: [] }]);
  return port;
}

const insert = (body: string) => ({ sql: "INSERT INTO notes (body) VALUES (?)", params: [body] });
const bodies = (port: SyncSqlPort) => port.all("SELECT body FROM notes ORDER BY id", []);

describe("the SQL port", () => {
  it("gives rows as the values of their columns", () => {
    const port = portWithNotes();
    port.write([insert("a"), insert("b")]);
    expect(port.all("SELECT id, body FROM notes WHERE id > ? ORDER BY id", [0])).toEqual([
      [1, "a"],
      [2, "b"],
    ]);
  });

  it("gives what a write returns", () => {
    const port = portWithNotes();
    expect(port.all("INSERT INTO notes (body) VALUES (?) RETURNING id", ["a"])).toEqual([[1]]);
    expect(bodies(port)).toEqual([["a"]]);
  });

  it("writes all statements of a transaction or none", async () => {
    const port = portWithNotes();
    expect(await codeOf(() => port.write([insert("a"), insert("b"), insert("a")]))).toBe("DB_WRITE_FAILED");
    expect(bodies(port)).toEqual([]);
    port.write([insert("a")]);
    expect(bodies(port)).toEqual([["a"]]);
  });

  it("rolls back and throws the statement's own error when it misses its rows", async () => {
    const port = portWithNotes();
    const miss = {
      sql: "UPDATE notes SET body = 'x' WHERE id = ?",
      params: [9],
      expectRows: 1,
      onMiss: () => new ServiceError("RUN_NOT_FOUND", "Nobody there."),
    };
    expect(await codeOf(() => port.write([insert("a"), miss]))).toBe("RUN_NOT_FOUND");
    expect(bodies(port)).toEqual([]);
  });

  it("has an error of its own for an unexplained miss", () => {
    const port = portWithNotes();
    const miss = { sql: "DELETE FROM notes WHERE id = 9", params: [], expectRows: 1 };
    expect(() => port.write([miss])).toThrow(/touched 0 rows instead of 1/);
  });

  it("asks the query that explains a miss inside of the transaction", () => {
    const port = portWithNotes();
    const miss: Statement = {
      sql: "DELETE FROM notes WHERE id = 9",
      params: [],
      expectRows: 1,
      onMiss: () => ({
        sql: "SELECT body FROM notes",
        params: [],
        read: (rows) => new ServiceError("RUN_NOT_FOUND", `There is only ${rows.join()}.`),
      }),
    };
    expect(() => port.write([insert("a"), miss])).toThrow("There is only a.");
    expect(bodies(port)).toEqual([]);
  });

  it("reads one moment in a snapshot, whatever others write meanwhile", () => {
    const path = databasePath();
    const [port, other] = [openStore(path, schemas).sql, openStore(path, schemas).sql];
    port.write([{ sql: "CREATE TABLE notes (body TEXT)", params: [] }]);
    const count = { sql: "SELECT count(*) FROM notes", params: [] };
    const results = port.snapshot([
      count,
      {
        sql: count.sql,
        // Arguments are read when their query runs, so this writes between the two.
        get params() {
          other.write([insert("late")]);
          return [];
        },
      },
    ]);
    expect(results).toEqual([[[0]], [[0]]]);
    expect(port.all(count.sql, [])).toEqual([[1]]);
  });

  it("reports a statement that SQL does not know as a failed query", async () => {
    const port = portWithNotes();
    expect(await codeOf(() => port.all("SELECT nonsense FROM nowhere", []))).toBe("DB_QUERY_FAILED");
    expect(await codeOf(() => port.snapshot([{ sql: "SELECT 1 FROM nowhere", params: [] }]))).toBe(
      "DB_QUERY_FAILED",
    );
    expect(bodies(port)).toEqual([]);
  });

  it("spares a relaxed write the wait for the disk, and no write after it", () => {
    const port = portWithNotes();
    const level = () => port.all("PRAGMA synchronous", [])[0]?.[0];
    const levels: unknown[] = [];
    const miss = {
      sql: "DELETE FROM notes WHERE id = 9",
      params: [],
      expectRows: 1,
      onMiss: () => {
        levels.push(level());
        return new ServiceError("RUN_NOT_FOUND", "Nobody there.");
      },
    };
    expect(() => port.write([miss], "relaxed")).toThrow("Nobody there.");
    port.write([insert("a")], "relaxed");
    expect(() => port.write([miss])).toThrow("Nobody there.");
    const [normal, full] = [1, 2];
    expect([...levels, level()]).toEqual([normal, full, full]);
    expect(bodies(port)).toEqual([["a"]]);
  });

  it.each([
    ["without a write-ahead log", { journalMode: "DELETE" } as const],
    ["where every write is relaxed", { synchronous: "normal" } as const],
  ])("leaves durability alone %s", (_what, options) => {
    const port = openStore(databasePath(), schemas, options).sql;
    const before = port.all("PRAGMA synchronous", []);
    port.write([{ sql: "CREATE TABLE notes (body TEXT)", params: [] }], "relaxed");
    expect(port.all("PRAGMA synchronous", [])).toEqual(before);
  });
});
