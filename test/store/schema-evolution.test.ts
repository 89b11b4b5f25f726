import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { ServiceError } from "../../src/errors/service-error.js";
import type { RunStatus } from "../../src/model/run.js";
import type { SchemaMap } from "../../src/model/schema.js";
import { newRun, step } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";
import { quietDb, quietExisting, type QuietStore } from "../support/quiet-store.js";

const v1 = { report: z.object({ title: z.string(), score: z.int() }) };

/** A database with one row of `schemas`, and its path. */
function databaseWith(schemas: SchemaMap, row: Record<string, unknown>, status: RunStatus = "running") {
  const path = databasePath();
  const store = openStore(path, schemas);
  store.createRun(newRun({ input: {} }));
  store.commit(step({ run: { status }, outputs: [write(store, row)] }));
  store.close();
  return path;
}

function write(store: QuietStore, row: Record<string, unknown>, nodeId = "old") {
  return { outputKey: "report", nodeId, iteration: 0, columns: store.codec("report").encode(row) };
}

function refusal(call: () => unknown): ServiceError {
  try {
    call();
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error("nothing was refused");
}

const withRow = () => databaseWith(v1, { title: "t", score: 1 });

describe("a schema that gained a field", () => {
  it.each([
    ["optional", z.string().optional(), {}],
    ["nullable", z.string().nullable(), { note: null }],
    ["nullish", z.string().nullish(), {}],
    ["nullable JSON", z.array(z.string()).nullable(), { note: null }],
  ])("reads old rows without the %s field and writes new rows with it", (_what, note, absent) => {
    const store = openStore(withRow(), { report: z.object({ ...v1.report.shape, note }) });
    expect(store.loadRun("run-1")?.outputs.map(({ row }) => row)).toEqual([
      { title: "t", score: 1, ...absent },
    ]);
    const value = note.safeParse("n").success ? "n" : ["n"];
    store.commit(step({ outputs: [write(store, { title: "u", score: 2, note: value }, "new")] }));
    expect(store.getOutput("run-1", "report", "new", 0)).toEqual({ title: "u", score: 2, note: value });
  });

  it.each(["running", "failed", "cancelled"] as const)(
    "stops the resume of a %s run whose rows lack a required one, naming table and field",
    (status) => {
      const store = openStore(databaseWith(v1, { title: "t", score: 1 }, status), {
        report: z.object({ ...v1.report.shape, author: z.string() }),
      });
      const error = refusal(() => store.loadRun("run-1"));
      expect(error.code).toBe("DB_SCHEMA_CONFLICT");
      expect(error.details).toEqual({
        runId: "run-1",
        nodeId: "old",
        iteration: 0,
        tableName: "report",
        field: "author",
      });
      for (const fact of ["report", '"author"', '"old"']) expect(error.message).toContain(fact);
    },
  );

  it("still shows the rows of an ended run", () => {
    const path = databaseWith(v1, { title: "t", score: 1 }, "finished");
    const store = openStore(path, { report: z.object({ ...v1.report.shape, author: z.string() }) });
    expect(store.loadRun("run-1")?.outputs.map(({ row }) => row)).toEqual([{ title: "t", score: 1 }]);
    expect(store.listOutputs("run-1", "report")).toEqual([{ title: "t", score: 1 }]);
  });

  it("does not stand in the way of new runs", () => {
    const store = openStore(withRow(), { report: z.object({ ...v1.report.shape, author: z.string() }) });
    store.createRun(newRun({ runId: "run-2", input: {} }));
    const row = { title: "n", score: 3, author: "ada" };
    store.commit(
      step({ lease: { runId: "run-2", ownerId: "owner-1", epoch: 1 }, outputs: [write(store, row, "n")] }),
    );
    expect(store.loadRun("run-2")?.outputs.map((output) => output.row)).toEqual([row]);
  });

  it("stops the resume of a run whose input lacks a required one", () => {
    const path = databasePath();
    openStore(path, { input: z.object({ topic: z.string() }) }).createRun(newRun());
    const store = openStore(path, { input: z.object({ topic: z.string(), tone: z.string() }) });
    const error = refusal(() => store.loadRun("run-1"));
    expect(error.code).toBe("DB_SCHEMA_CONFLICT");
    expect(error.message).toContain('its input has no "tone"');
    const relaxed = openStore(path, {
      input: z.object({ topic: z.string(), tone: z.string().default("dry") }),
    });
    expect(relaxed.loadRun("run-1")?.input).toEqual({ topic: "tea" });
  });
});

describe("a schema that lost a field", () => {
  it("stops the resume of a run whose input had a schema that is gone", () => {
    const path = databasePath();
    openStore(path, { input: z.object({ topic: z.string() }) }).createRun(newRun());
    const error = refusal(() => openStore(path, {}).loadRun("run-1"));
    expect(error.code).toBe("DB_SCHEMA_CONFLICT");
    expect(error.message).toContain("stored under an input schema");
  });

  it("reads old rows without it and continues writing", () => {
    const store = openStore(withRow(), { report: z.object({ title: z.string() }) });
    store.commit(step({ outputs: [write(store, { title: "u" }, "new")] }));
    expect(store.listOutputs("run-1", "report")).toEqual([{ title: "u" }, { title: "t" }]);
  });
});

describe("a field that changed its type", () => {
  it("is refused before anything runs, naming table, column, old and new type", () => {
    const path = withRow();
    const changed = { report: z.object({ title: z.string(), score: z.string() }) };
    for (const call of [
      (store: QuietStore) => store.createRun(newRun({ runId: "run-2", input: {} })),
      (store: QuietStore) => store.loadRun("run-1"),
    ]) {
      expect(refusal(() => call(openStore(path, changed))).code).toBe("DB_SCHEMA_CONFLICT");
    }
    const error = refusal(() => openStore(path, changed).loadRun("run-1"));
    expect(error.details?.["conflicts"]).toEqual([
      { tableName: "report", column: "score", from: "integer", to: "text" },
    ]);
    expect(error.message).toContain("report.score was an integer and is now a string");
  });

  it("is refused for every column at once, and leaves the tables as they were", () => {
    const path = withRow();
    const changed = { report: z.object({ title: z.int(), score: z.date(), extra: z.string().optional() }) };
    expect(refusal(() => openStore(path, changed).loadRun("run-1")).details?.["conflicts"]).toHaveLength(2);
    const store = openStore(path, v1);
    expect(store.listOutputTables()[0]?.columns.map(({ field }) => field)).toEqual(["title", "score"]);
    expect(store.getOutput("run-1", "report", "old", 0)).toEqual({ title: "t", score: 1 });
  });

  it("is fine while the table has no rows", () => {
    const path = databasePath();
    openStore(path, v1).prepare();
    const store = openStore(path, { report: z.object({ title: z.string(), score: z.string() }) });
    store.createRun(newRun({ input: {} }));
    store.commit(step({ outputs: [write(store, { title: "t", score: "high" })] }));
    expect(store.getOutput("run-1", "report", "old", 0)).toEqual({ title: "t", score: "high" });
  });

  it.each([
    ["other rules", z.object({ title: z.string().max(3), score: z.int().min(0) })],
    ["an enum instead of text", z.object({ title: z.enum(["t", "u"]), score: z.int() })],
    ["an optional mark", z.object({ title: z.string().optional(), score: z.int() })],
  ])("does not include %s", (_what, report) => {
    const store = openStore(withRow(), { report });
    expect(store.loadRun("run-1")?.outputs.map(({ row }) => row)).toEqual([{ title: "t", score: 1 }]);
  });
});

describe("a table that was not made by the store", () => {
  it("is refused when it lacks the address columns", () => {
    const path = databasePath();
    openStore(path, {}).prepare();
    const db = new Database(path);
    db.exec("CREATE TABLE report (title TEXT); INSERT INTO report VALUES ('mine')");
    db.close();
    const error = refusal(() => openStore(path, v1).prepare());
    expect(error.code).toBe("DB_MISSING_COLUMNS");
    expect(error.details).toEqual({ tableName: "report", columns: ["run_id", "node_id", "iteration"] });
  });
});

describe("workflows that share a database", () => {
  const essay = { input: z.object({ topic: z.string() }), result: z.object({ text: z.string() }) };
  const audit = {
    input: z.object({ repo: z.string(), depth: z.int() }),
    result: z.object({ issues: z.array(z.string()) }),
  };

  const result = (store: QuietStore, runId: string, row: Record<string, unknown>) =>
    store.commit(
      step({
        lease: { runId, ownerId: "owner-1", epoch: 1 },
        outputs: [
          { outputKey: "result", nodeId: "n", iteration: 0, columns: store.codec("result").encode(row) },
        ],
      }),
    );

  it.each([
    ["of the same workflow", "essay"],
    ["of another workflow", "audit"],
  ])("may use the same keys with different fields, in runs %s", (_what, workflowName) => {
    const path = databasePath();
    const [first, second] = [openStore(path, essay), openStore(path, audit)];
    first.createRun(newRun({ runId: "e" }));
    second.createRun(newRun({ runId: "a", workflowName, input: { repo: "r", depth: 2 } }));
    result(first, "e", { text: "x" });
    result(second, "a", { issues: ["y"] });
    expect(first.loadRun("e")).toMatchObject({ input: { topic: "tea" }, outputs: [{ row: { text: "x" } }] });
    expect(second.loadRun("a")).toMatchObject({
      input: { repo: "r", depth: 2 },
      outputs: [{ row: { issues: ["y"] } }],
    });
    // Opening them again changes nothing any more.
    const before = openStore(path, essay).listOutputTables();
    openStore(path, audit).loadRun("a");
    expect(openStore(path, essay).listOutputTables()).toEqual(before);
  });

  it("have tables of their own where the same key has fields of other types", () => {
    const path = databasePath();
    const clash = { input: z.object({ topic: z.int() }), result: z.object({ text: z.array(z.string()) }) };
    const first = openStore(path, essay);
    first.createRun(newRun({ runId: "e" }));
    result(first, "e", { text: "x" });
    const second = openStore(path, clash);
    second.createRun(newRun({ runId: "c", workflowName: "clash", input: { topic: 3 } }));
    result(second, "c", { text: ["y"] });
    for (const store of [second, openStore(path, clash)]) {
      expect(store.loadRun("c")).toMatchObject({ input: { topic: 3 }, outputs: [{ row: { text: ["y"] } }] });
    }
    expect(first.loadRun("e")).toMatchObject({ input: { topic: "tea" }, outputs: [{ row: { text: "x" } }] });
    // For every handle a row is found and read as its own workflow wrote it.
    const reader = quietExisting(path, { readOnly: true });
    onTestFinished(() => reader.close());
    for (const store of [first, second, reader]) {
      expect(["e", "c"].map((runId) => store.getInput(runId)?.["topic"])).toEqual(["tea", 3]);
      expect(["e", "c"].map((runId) => store.readOutput(runId, "n", 0)?.["text"])).toEqual(["x", ["y"]]);
      expect(["e", "c"].map((runId) => store.listOutputs(runId, "result").length)).toEqual([1, 1]);
    }
  });

  it("share a table where both would make it alike", () => {
    const path = databasePath();
    const [first, second] = [openStore(path, essay), openStore(path, essay)];
    first.createRun(newRun({ runId: "e" }));
    second.createRun(newRun({ runId: "f", workflowName: "twin" }));
    result(first, "e", { text: "x" });
    result(second, "f", { text: "y" });
    expect(first.listOutputTables().map(({ tableName }) => tableName)).toEqual(["result"]);
  });

  it("query their own tables through drizzle", () => {
    const path = databasePath();
    openStore(path, essay).createRun(newRun({ runId: "e" }));
    const clash = { input: z.object({ topic: z.int() }) };
    const { db, tables, store } = quietDb({ path, schemas: clash });
    onTestFinished(() => store.close());
    store.createRun(newRun({ runId: "c", workflowName: "clash", input: { topic: 3 } }));
    expect(
      db
        .select()
        .from(tables["input"] as never)
        .all(),
    ).toEqual([{ runId: "c", topic: 3 }]);
  });

  it("read each other's rows through the catalogue, without fields that are not theirs", () => {
    const path = databasePath();
    const other = openStore(path, audit);
    other.createRun(newRun({ input: { repo: "r", depth: 2 } }));
    const columns = other.codec("result").encode({ issues: ["y"] });
    other.commit(step({ outputs: [{ outputKey: "result", nodeId: "n", iteration: 0, columns }] }));
    openStore(path, essay).prepare();
    const visitor = openStore(path, { unrelated: z.object({ a: z.int() }) });
    expect(visitor.readOutput("run-1", "n", 0)).toEqual({ issues: ["y"] });
  });
});
