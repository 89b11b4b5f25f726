import { describe, expect, it } from "vitest";
import type { Statement } from "../../src/store/sql-port.js";
import {
  codeOf,
  draft,
  events,
  newRun,
  node,
  pending,
  schemas,
  step,
} from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";
import type { QuietStore } from "../support/quiet-store.js";

function openWithTable(columns: readonly string[]) {
  const port = openStore(databasePath(), schemas).sql;
  port.write([{ sql: `CREATE TABLE notes (${columns.join(", ")})`, params: [] }]);
  const sql = `INSERT INTO notes (${columns.map((column) => column.split(" ")[0]).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
  const row = (...params: (string | number)[]): Statement => ({ sql, params, isRow: true });
  const stored = () => port.all("SELECT * FROM notes ORDER BY rowid", []);
  return { port, row, stored };
}

/** The texts of the statements that run while `body` does. */
function textsOf(store: QuietStore, body: () => void): string[] {
  const { db } = store.connection.use();
  const prototype = Object.getPrototypeOf(db.prepare("SELECT 1")) as { run(...params: unknown[]): unknown };
  const { run } = prototype;
  const texts: string[] = [];
  prototype.run = function (this: { source: string }, ...params: unknown[]) {
    texts.push(this.source);
    return run.apply(this, params);
  };
  try {
    body();
  } finally {
    prototype.run = run;
  }
  return texts;
}

const insertsInto = (table: string, texts: readonly string[]) =>
  texts.filter((text) => text.startsWith(`INSERT INTO ${table} `)).length;

describe("rows of one table", () => {
  it.each([1, 2, 3, 5, 8, 9, 15, 31, 63, 64, 65, 130])("are stored in their order: %i", (count) => {
    const { port, row, stored } = openWithTable(["name TEXT", "value INTEGER"]);
    const rows = Array.from({ length: count }, (_, index) => [`n${index}`, index] as const);
    port.write(rows.map((values) => row(...values)));
    expect(stored()).toEqual(rows);
  });

  it("may be wider than what one statement takes of many of them", () => {
    const width = 1_200;
    const { port, row } = openWithTable(Array.from({ length: width }, (_, index) => `c${index} INTEGER`));
    port.write(Array.from({ length: 100 }, (_, index) => row(...Array.from({ length: width }, () => index))));
    expect(port.all("SELECT count(*), sum(c0), sum(c1199) FROM notes", [])).toEqual([[100, 4_950, 4_950]]);
  });

  it("are written between the statements that stand around them", () => {
    const { port, row, stored } = openWithTable(["name TEXT", "value INTEGER"]);
    const double: Statement = { sql: "UPDATE notes SET value = value * 2", params: [] };
    port.write([row("a", 1), row("b", 1), double, row("c", 1), row("d", 1), double]);
    expect(stored()).toEqual([
      ["a", 4],
      ["b", 4],
      ["c", 2],
      ["d", 2],
    ]);
  });

  it("are all undone with one that does not fit", async () => {
    const { port, row, stored } = openWithTable(["name TEXT UNIQUE", "value INTEGER"]);
    const rows = [row("a", 1), row("b", 1), row("a", 2), row("c", 1)];
    expect(await codeOf(() => port.write(rows))).toBe("DB_WRITE_FAILED");
    expect(stored()).toEqual([]);
  });
});

describe("the statements of steps", () => {
  const writeOf = (store: QuietStore, runId: string, { ids = "abcd", epoch = 1 } = {}) => ({
    type: "commit" as const,
    commit: step({
      lease: { runId, ownerId: "owner-1", epoch },
      nodes: [...ids].map((id) => node(id)),
      events: events(0, ...[...ids].map((id) => pending(id))),
      outputs: [draft(store, "a", { text: runId, words: 1 })],
    }),
  });

  it("are one for each table of which they write many rows", () => {
    const store = openStore(databasePath(), schemas);
    store.createRun(newRun());
    const { commit } = writeOf(store, "run-1", { ids: "abcdefgh" });
    const texts = textsOf(store, () => store.commit(commit));
    expect([insertsInto("_service_nodes", texts), insertsInto("_service_events", texts)]).toEqual([1, 1]);
    expect(store.listNodes("run-1").map(({ nodeId }) => nodeId)).toEqual([..."abcdefgh"]);
    expect(store.listEvents("run-1", { limit: 9 }).map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("are one for each table in a group of runs too, after the fence of each", () => {
    const store = openStore(databasePath(), schemas);
    const runIds = ["a", "b", "c"];
    for (const runId of runIds) store.createRun(newRun({ runId }));
    const writes = [writeOf(store, "a"), writeOf(store, "b", { epoch: 0 }), writeOf(store, "c")];
    const texts = textsOf(store, () => {
      expect(store.writeTogether(writes).map(({ ok }) => ok)).toEqual([true, false, true]);
    });
    expect(texts.filter((text) => text === "COMMIT")).toHaveLength(1);
    // Twice four rows are as many as one statement takes.
    expect([insertsInto("_service_nodes", texts), insertsInto("_service_events", texts)]).toEqual([1, 1]);
    expect(runIds.map((runId) => store.listNodes(runId).length)).toEqual([4, 0, 4]);
    expect(runIds.map((runId) => store.listEvents(runId, { limit: 9 }).length)).toEqual([4, 0, 4]);
  });
});
