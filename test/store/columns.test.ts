import { expect, it } from "vitest";
import { COMPOSITE_ROWS } from "../../src/model/composite-rows.js";
import { NO_NULL } from "../../src/store/columns/column.js";
import { SQLITE_WORDS } from "../../src/store/migrations/dialect.js";
import { typeOf } from "../../src/store/migrations/table-ddl.js";
import { engineTables } from "../../src/store/engine-tables/all.js";
import { schemas } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";

interface TableColumn {
  name: string;
  type: string;
  notnull: number;
  pk: number;
}

function database() {
  const store = openStore(databasePath(), schemas);
  store.prepare();
  return store.connection.use().db;
}

it("every table of the engine is described, and nothing else but the index of words", () => {
  const names = database()
    .prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '\\_service\\_%' ESCAPE '\\'
       AND name NOT LIKE '\\_service\\_memory\\_words%' ESCAPE '\\'`,
    )
    .pluck()
    .all();
  // Rows of composites lie in a generated table, which the database describes itself.
  expect(names.sort()).toEqual([...engineTables.map(({ name }) => name), COMPOSITE_ROWS].sort());
});

it.each(engineTables.map((table) => [table.name, table] as const))(
  "the columns of %s are what the migrations have made of it",
  (_, table) => {
    const found = database().pragma(`table_info(${table.name})`) as TableColumn[];
    const described = table.inOrder.map(({ name, sqlType, nullIs }) => ({
      name,
      sqlType: typeOf({ sqlType }, SQLITE_WORDS),
      isNullable: nullIs !== NO_NULL,
    }));
    const own = found
      .filter(({ name }) => !(table.ofRun && name === "run_no"))
      .map(({ name, type, notnull, pk }) => ({
        name,
        sqlType: type,
        isNullable: notnull === 0 && pk === 0,
      }));
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect(described.sort(byName)).toEqual(own.sort(byName));
    expect(found.some(({ name }) => name === "run_no")).toBe(table.ofRun || table.name === "_service_runs");
  },
);

it.each(engineTables.map((table) => [table.name, table] as const))(
  "the key of %s comes first, so that names and values go together",
  (_, { inOrder, keyNames, otherNames, names }) => {
    expect([...keyNames, ...otherNames]).toEqual(inOrder.map(({ name }) => name));
    expect(names.call({ inOrder })).toBe([...keyNames, ...otherNames].join(", "));
  },
);
