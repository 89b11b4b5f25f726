import { eq, getTableColumns, getTableName } from "drizzle-orm";
import { type AnySQLiteTable, getTableConfig } from "drizzle-orm/sqlite-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createSqliteDb } from "../../../src/store/create-sqlite-db.js";
import { deriveTables } from "../../../src/store/tables/derive-tables.js";
import { drizzleTables, outputKeyOfTable } from "../../../src/store/tables/drizzle-table.js";
import { draft, newRun, schemas, step } from "../../conformance/store/fixtures.js";

const table = (of: Record<string, unknown>, key: string) => of[key] as AnySQLiteTable;

describe("a generated drizzle table", () => {
  it("knows its schema key without being built", () => {
    const tables = drizzleTables(deriveTables(schemas));
    expect(Object.keys(tables)).toEqual(["input", "draft", "reviewNotes"]);
    expect(outputKeyOfTable(tables["reviewNotes"])).toBe("reviewNotes");
    for (const other of [undefined, null, "draft", {}, schemas.draft])
      expect(outputKeyOfTable(other)).toBeUndefined();
  });

  it("has SQL names in snake case, properties as in the schema, and the address as key", () => {
    const reviewNotes = table(drizzleTables(deriveTables(schemas)), "reviewNotes");
    expect(getTableName(reviewNotes)).toBe("review_notes");
    const columns = getTableColumns(reviewNotes);
    expect(
      Object.entries(columns).map(([field, column]) => [field, column.name, column.getSQLType()]),
    ).toEqual([
      ["runId", "run_id", "text"],
      ["nodeId", "node_id", "text"],
      ["iteration", "iteration", "integer"],
      ["approved", "approved", "integer"],
      ["when", "when", "TEXT"],
      ["tags", "tags", "TEXT"],
    ]);
    const [key] = getTableConfig(reviewNotes).primaryKeys;
    expect(key?.columns.map(({ name }) => name)).toEqual(["run_id", "node_id", "iteration"]);
  });

  it("reads rows that the store wrote, decoded, and writes rows that the store reads", () => {
    const { db, store, tables } = createSqliteDb({ path: ":memory:", schemas });
    onTestFinished(() => store.close());
    store.createRun(newRun());
    const notes = { approved: true, when: new Date(5), tags: ["x"] };
    const columns = store.codec("reviewNotes").encode(notes);
    store.commit(step({ outputs: [{ outputKey: "reviewNotes", nodeId: "n", iteration: 0, columns }] }));
    const reviewNotes = table(tables, "reviewNotes");
    const address = { runId: "run-1", nodeId: "n", iteration: 0 };
    expect(db.select().from(reviewNotes).all()).toEqual([{ ...address, ...notes }]);
    db.insert(reviewNotes)
      .values({ ...address, iteration: 1, ...notes, tags: ["y"] })
      .run();
    expect(store.getOutput("run-1", "reviewNotes", "n", 1)).toEqual({ ...notes, tags: ["y"] });
  });

  it("takes part in conditions made by drizzle's own operators", () => {
    const { db, store, tables } = createSqliteDb({ path: ":memory:", schemas });
    onTestFinished(() => store.close());
    store.createRun(newRun());
    store.commit(
      step({
        outputs: [draft(store, "a", { text: "x", words: 1 }), draft(store, "b", { text: "y", words: 2 })],
      }),
    );
    const drafts = table(tables, "draft");
    const words = getTableColumns(drafts)["words"];
    if (words === undefined) throw new Error("no such column");
    expect(
      db
        .select({ text: getTableColumns(drafts)["text"] as never })
        .from(drafts)
        .where(eq(words, 2))
        .all(),
    ).toEqual([{ text: "y" }]);
  });

  it("of the input has the run as its key", () => {
    const { db, store, tables } = createSqliteDb({ path: ":memory:", schemas });
    onTestFinished(() => store.close());
    store.createRun(newRun({ input: { topic: "tea", depth: 2 } }));
    expect(db.select().from(table(tables, "input")).all()).toEqual([
      { runId: "run-1", topic: "tea", depth: 2 },
    ]);
  });

  it("without an input schema has one payload", () => {
    const { db, store, tables } = createSqliteDb({ path: ":memory:", schemas: { out: z.object({}) } });
    onTestFinished(() => store.close());
    store.createRun(newRun({ input: { any: [1] } }));
    expect(db.select().from(table(tables, "input")).all()).toEqual([
      { runId: "run-1", payload: { any: [1] } },
    ]);
  });
});
