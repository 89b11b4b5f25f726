import { expect, it } from "vitest";
import { rowsTogether } from "../../../src/store/postgres/rows-together.js";
import type { Statement } from "../../../src/store/sql-port.js";

const append = (...params: number[]): Statement => ({
  sql: "INSERT INTO log (run, seq) VALUES (?, ?)",
  params,
  isRow: true,
});

it("neighbours that append to one table are sent as one statement, in their order", () => {
  const fence: Statement = { sql: "UPDATE runs SET seq = ?", params: [7], expectRows: 1 };
  const rows = [0, 1, 2, 3, 4, 5, 6].map((seq) => append(9, seq));
  expect(rowsTogether([fence, ...rows, fence, append(9, 7)])).toEqual([
    fence,
    {
      sql: "INSERT INTO log (run, seq) VALUES (?, ?), (?, ?), (?, ?), (?, ?), (?, ?), (?, ?)",
      params: [9, 0, 9, 1, 9, 2, 9, 3, 9, 4, 9, 5],
    },
    append(9, 6),
    fence,
    append(9, 7),
  ]);
});

it("upserts of different rows are sent as one, up to one that meets a row again", () => {
  const conflict = " ON CONFLICT (run, node) DO UPDATE SET n = excluded.n";
  const upsert = (...params: number[]): Statement => ({
    sql: `INSERT INTO nodes (run, node, n) VALUES (?, ?, ?)${conflict}`,
    params,
    isRow: true,
  });
  expect(rowsTogether([upsert(1, 1, 0), upsert(1, 2, 0), upsert(1, 1, 5), upsert(2, 1, 5)])).toEqual([
    {
      sql: `INSERT INTO nodes (run, node, n) VALUES (?, ?, ?), (?, ?, ?)${conflict}`,
      params: [1, 1, 0, 1, 2, 0],
    },
    {
      sql: `INSERT INTO nodes (run, node, n) VALUES (?, ?, ?), (?, ?, ?)${conflict}`,
      params: [1, 1, 5, 2, 1, 5],
    },
  ]);
});

it("upserts that do not say by which columns they meet a row, and what is no row, are sent one by one", () => {
  const upsert: Statement = {
    ...append(1, 1),
    sql: "INSERT INTO n (a, b) VALUES (?, ?) ON CONFLICT DO NOTHING",
  };
  const update: Statement = { sql: "UPDATE log SET seq = ?", params: [1] };
  const statements = [upsert, upsert, update, update];
  expect(rowsTogether(statements)).toEqual(statements);
});
