import { expect, it } from "vitest";
import { appendsAtOnce } from "../../../src/store/postgres/appends-at-once.js";
import type { Statement } from "../../../src/store/sql-port.js";

const append = (...params: number[]): Statement => ({
  sql: "INSERT INTO log (run, seq) VALUES (?, ?)",
  params,
  isRow: true,
});

it("neighbours that append to one table are sent as one statement, in their order", () => {
  const fence: Statement = { sql: "UPDATE runs SET seq = ?", params: [7], expectRows: 1 };
  const rows = [0, 1, 2, 3, 4, 5, 6].map((seq) => append(9, seq));
  expect(appendsAtOnce([fence, ...rows, fence, append(9, 7)])).toEqual([
    fence,
    {
      sql: "INSERT INTO log (run, seq) VALUES (?, ?), (?, ?), (?, ?), (?, ?)",
      params: [9, 0, 9, 1, 9, 2, 9, 3],
    },
    { sql: "INSERT INTO log (run, seq) VALUES (?, ?), (?, ?)", params: [9, 4, 9, 5] },
    append(9, 6),
    fence,
    append(9, 7),
  ]);
});

it("upserts, which may meet a row twice, and what is no row are sent one by one", () => {
  const upsert: Statement = {
    ...append(1, 1),
    sql: "INSERT INTO n (a, b) VALUES (?, ?) ON CONFLICT (a) DO NOTHING",
  };
  const update: Statement = { sql: "UPDATE log SET seq = ?", params: [1] };
  const statements = [upsert, upsert, update, update];
  expect(appendsAtOnce(statements)).toEqual(statements);
});
