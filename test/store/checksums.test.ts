import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { codeOf, newRun, step } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";
import { quietExisting, type QuietStore } from "../support/quiet-store.js";

const schemas = {
  input: z.object({ topic: z.string() }),
  report: z.object({ title: z.string(), score: z.number(), tags: z.array(z.string()).optional() }),
};

function write(store: QuietStore, row: Record<string, unknown>, iteration = 0) {
  const columns = store.codec("report").encode(row);
  store.commit(step({ outputs: [{ outputKey: "report", nodeId: "n", iteration, columns }] }));
}

function filled(): string {
  const path = databasePath();
  const store = openStore(path, schemas);
  store.createRun(newRun());
  write(store, { title: "fine", score: 0.5 });
  store.close();
  return path;
}

/** The effect of a damaged page: a value that was never written. */
function change(path: string, sql: string): void {
  const db = new Database(path);
  db.exec(sql);
  db.close();
}

describe("a stored row whose values were changed behind the store's back", () => {
  it.each([
    ["a text", "UPDATE report SET title = 'fime'"],
    ["a number", "UPDATE report SET score = 0.25"],
    ["a value that was absent", `UPDATE report SET tags = '["x"]'`],
    ["a value that is absent now", "UPDATE report SET title = NULL"],
    ["its node", "UPDATE report SET node_id = 'm'"],
  ])("is refused with STORAGE_ERROR, which names table and run: %s", async (_what, sql) => {
    const path = filled();
    change(path, sql);
    const reader = quietExisting(path);
    for (const call of [
      () => openStore(path, schemas).loadRun("run-1"),
      () => openStore(path, schemas).listOutputs("run-1", "report"),
      () => reader.readOutput("run-1", sql.includes("node_id") ? "m" : "n", 0),
    ]) {
      expect(await codeOf(call)).toBe("STORAGE_ERROR");
      expect(call).toThrow(/run "run-1" in table report/);
    }
    reader.close();
  });

  it("is refused when it is an input", async () => {
    const path = filled();
    change(path, "UPDATE input SET topic = 'ten'");
    expect(await codeOf(() => openStore(path, schemas).loadRun("run-1"))).toBe("STORAGE_ERROR");
    expect(await codeOf(() => openStore(path, schemas).getInput("run-1"))).toBe("STORAGE_ERROR");
  });

  it("is taken when its checksum was removed by hand", () => {
    const path = filled();
    change(path, "UPDATE report SET title = 'by hand', _checksum = NULL");
    expect(openStore(path, schemas).getOutput("run-1", "report", "n", 0)).toMatchObject({ title: "by hand" });
  });
});

describe("the checksum of a row", () => {
  it("still fits when the schema gains, loses or reorders fields", () => {
    const path = filled();
    const { title, score } = schemas.report.shape;
    for (const report of [
      z.object({ note: z.string().optional(), score, title }),
      z.object({ score }),
      z.object({ title, score, more: z.int().nullish() }),
    ]) {
      const store = openStore(path, { ...schemas, report });
      expect(store.loadRun("run-1")?.outputs).toHaveLength(1);
      store.close();
    }
  });

  it.each<[string, (store: QuietStore) => unknown]>([
    ["loadRun", (store) => store.loadRun("run-1")?.outputs.map(({ row }) => row)],
    ["getOutput", (store) => [0, 1].flatMap((at) => store.getOutput("run-1", "report", "n", at) ?? [])],
    ["listOutputs", (store) => store.listOutputs("run-1", "report")],
  ])(
    "is read with columns that another process has added meanwhile, whatever was read before: %s",
    (_what, read) => {
      const path = databasePath();
      const [old, young] = [schemas, { ...schemas, report: schemas.report.extend({ note: z.string() }) }].map(
        (version) => openStore(path, version),
      ) as [QuietStore, QuietStore];
      old.createRun(newRun());
      expect(old.loadRun("run-1")?.outputs).toEqual([]);
      write(young, { title: "t", score: 1, note: "new" });
      expect(read(old)).toEqual([{ title: "t", score: 1 }]);
      young.close();
      const later = openStore(path, { ...schemas, report: schemas.report.extend({ more: z.string() }) });
      write(later, { title: "u", score: 2, more: "newer" }, 1);
      expect(old.getInput("run-1")).toEqual({ topic: "tea" });
      expect(read(old)).toEqual([
        { title: "t", score: 1 },
        { title: "u", score: 2 },
      ]);
    },
  );

  it("is absent in rows that are older than it, which stay readable", () => {
    const path = filled();
    change(
      path,
      `ALTER TABLE report DROP COLUMN _checksum; ALTER TABLE input DROP COLUMN _checksum;
       UPDATE _service_output_tables SET checksummed = 0 WHERE table_name IN ('report', 'input')`,
    );
    const reader = quietExisting(path, { readOnly: true });
    expect(reader.readOutput("run-1", "n", 0)).toEqual({ title: "fine", score: 0.5 });
    reader.close();
    const store = openStore(path, schemas);
    expect(store.loadRun("run-1")).toMatchObject({
      input: { topic: "tea" },
      outputs: [{ row: { title: "fine", score: 0.5 } }],
    });
    write(store, { title: "new", score: 1 });
    expect(store.getOutput("run-1", "report", "n", 0)).toMatchObject({ title: "new" });
  });
});
