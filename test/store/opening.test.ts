import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { codeOf, draft, newRun, schemas, step, WAKE } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { quietDb, quietExisting } from "../support/quiet-store.js";

describe("opening a database", () => {
  it("waits for the first use: making handles creates no file", () => {
    const path = databasePath();
    const { db, store, tables } = quietDb({ path, schemas });
    expect([typeof db, Object.keys(tables).length]).toEqual(["object", 3]);
    store.codec("draft").encode({ text: "x", words: 1 });
    store.validateInput({ topic: "tea" });
    store.close();
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    ["prepare", (made: ReturnType<typeof quietDb>) => made.store.prepare()],
    ["a read", (made: ReturnType<typeof quietDb>) => made.store.getRun("x")],
    ["the drizzle handle", (made: ReturnType<typeof quietDb>) => made.db.select],
  ])("happens at %s", (_what, use) => {
    const path = databasePath();
    const made = quietDb({ path, schemas });
    onTestFinished(() => made.store.close());
    use(made);
    expect(existsSync(path)).toBe(true);
  });

  it("says that the folder is missing, or that the path is a folder", () => {
    const folder = temporaryFolder();
    const missing = openStore(join(folder, "no", "such", "service.db"), schemas);
    expect(() => missing.prepare()).toThrow(/folder .* does not exist/);
    mkdirSync(join(folder, "taken.db"));
    expect(() => openStore(join(folder, "taken.db"), schemas).prepare()).toThrow(/is a folder/);
  });

  it.each([
    ["a folder that is a link to itself", "loop/service.db"],
    ["a folder that is a file", "file/service.db"],
    ["a name that is too long", `${"x".repeat(300)}.db`],
    ["a folder", "folder"],
  ])("has a code where the path leads nowhere: %s", (_what, name) => {
    const folder = temporaryFolder();
    symlinkSync(join(folder, "loop"), join(folder, "loop"));
    writeFileSync(join(folder, "file"), "");
    mkdirSync(join(folder, "folder"));
    expect(() => openStore(join(folder, name), schemas).prepare()).toThrow(
      expect.objectContaining({ code: "STORAGE_ERROR" }) as never,
    );
  });

  it("refuses a file that is no database, and leaves it alone", async () => {
    const path = databasePath();
    const text = "not a database, but longer than the hundred bytes of a header ".repeat(4);
    writeFileSync(path, text);
    const store = openStore(path, schemas);
    expect(await codeOf(() => store.prepare())).toBe("STORAGE_ERROR");
    expect(() => store.prepare()).toThrow(/not an SQLite database/);
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it("can be tried again after it failed", () => {
    const folder = temporaryFolder();
    const store = openStore(join(folder, "late", "service.db"), schemas);
    expect(() => store.prepare()).toThrow();
    mkdirSync(join(folder, "late"));
    store.prepare();
    expect(store.listRuns({ limit: 1 })).toEqual([]);
  });

  it("is over for good once closed", async () => {
    const store = openStore(databasePath(), schemas);
    store.prepare();
    store.close();
    store.close();
    expect(await codeOf(() => store.getRun("x"))).toBe("STORAGE_ERROR");
    expect(() => store.getRun("x")).toThrow(/was closed/);
  });

  it.each([
    ["WAL", "wal"],
    ["DELETE", "delete"],
  ] as const)("uses the journal mode %s", (journalMode, expected) => {
    const store = openStore(databasePath(), schemas, { journalMode });
    expect(store.connection.use().db.pragma("journal_mode", { simple: true })).toBe(expected);
  });

  it("writes ahead, durably, and enforces foreign keys by default", () => {
    const pragma = (store: ReturnType<typeof openStore>, name: string) =>
      store.connection.use().db.pragma(name, { simple: true });
    const usual = openStore(databasePath(), schemas);
    expect([
      pragma(usual, "journal_mode"),
      pragma(usual, "synchronous"),
      pragma(usual, "foreign_keys"),
    ]).toEqual(["wal", 2, 1]);
    expect(pragma(usual, "busy_timeout")).toBe(30_000);
    expect(pragma(openStore(databasePath(), schemas, { synchronous: "normal" }), "synchronous")).toBe(1);
  });

  it.each([{ journalMode: "fast" }, { synchronous: "off" }])(
    "refuses the unknown option %j",
    async (options) => {
      const create = () => quietDb({ path: databasePath(), schemas, ...(options as object) });
      expect(await codeOf(create)).toBe("INVALID_INPUT");
    },
  );

  it("takes a path relative to the directory that was current when the handle was made", () => {
    const folder = temporaryFolder();
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(folder);
    const store = openStore("service.db", schemas);
    process.chdir(before);
    store.prepare();
    expect(existsSync(join(folder, "service.db"))).toBe(true);
  });

  it("works in memory", () => {
    const store = openStore(":memory:", schemas);
    store.createRun(newRun());
    store.commit(step({ run: { release: true }, outputs: [draft(store, "a", { text: "x", words: 1 })] }));
    expect(store.listOutputs("run-1", "draft")).toEqual([{ text: "x", words: 1 }]);
  });
});

describe("opening an existing database without a schema", () => {
  function filled(): string {
    const path = databasePath();
    const store = openStore(path, schemas);
    store.createRun(newRun({ input: { topic: "tea", depth: 2 } }));
    const notes = store.codec("reviewNotes").encode({ approved: true, when: new Date(7), tags: ["t"] });
    store.commit(
      step({
        outputs: [
          draft(store, "a", { text: "x", words: 1 }),
          { outputKey: "reviewNotes", nodeId: "n", iteration: 3, columns: notes },
        ],
      }),
    );
    store.close();
    return path;
  }

  function existing(path: string, options?: { readOnly?: boolean }) {
    const store = quietExisting(path, options);
    onTestFinished(() => store.close());
    return store;
  }

  it("never creates a file", async () => {
    const path = databasePath();
    expect(await codeOf(() => existing(path).listRuns({ limit: 1 }))).toBe("STORAGE_ERROR");
    expect(() => existing(path).listRuns({ limit: 1 })).toThrow(/There is no database at/);
    expect(existsSync(path)).toBe(false);
  });

  it.each([false, true])("reads runs, input and decoded rows (read-only: %s)", (readOnly) => {
    const store = existing(filled(), { readOnly });
    expect(store.listRuns({ limit: 5 }).map(({ runId }) => runId)).toEqual(["run-1"]);
    expect(store.getInput("run-1")).toEqual({ topic: "tea", depth: 2 });
    expect(store.readOutput("run-1", "n", 3)).toEqual({ approved: true, when: new Date(7), tags: ["t"] });
    expect(store.readOutput("run-1", "nobody", 0)).toBeUndefined();
    expect(store.listOutputs("run-1", "draft")).toEqual([{ text: "x", words: 1 }]);
    expect(store.loadRun("run-1")?.outputs).toHaveLength(2);
    expect(store.listOutputTables().map(({ outputKey }) => outputKey)).toEqual(["draft", "reviewNotes"]);
  });

  it("takes intents, so that runs can be steered without their workflow", () => {
    const store = existing(filled());
    expect(store.submitIntent({ runId: "run-1", intent: { kind: "cancel" }, createdAtMs: 1 })).toBeTypeOf(
      "number",
    );
    expect(store.pendingIntents("run-1")).toHaveLength(1);
  });

  it("adds no tables of its own", () => {
    const path = filled();
    existing(path).prepare();
    const { db } = existing(path).connection.use();
    const columns = db.prepare("SELECT name FROM pragma_table_info('input')").pluck().all();
    expect(columns).toEqual(["run_id", "topic", "depth", "_checksum"]);
  });

  it.each([false, true])("leaves a database of another program alone (read-only: %s)", (readOnly) => {
    const path = databasePath();
    const foreign = new Database(path);
    foreign.exec("CREATE TABLE accounts (id TEXT)");
    foreign.close();
    const before = readFileSync(path);
    expect(() => existing(path, { readOnly }).listRuns({ limit: 1 })).toThrow(/holds no runs/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("keeps the journal mode that the file has", () => {
    const path = databasePath();
    openStore(path, schemas, { journalMode: "DELETE" }).prepare();
    expect(existing(path).connection.use().db.pragma("journal_mode", { simple: true })).toBe("delete");
    const unasked = openStore(path, schemas);
    expect(unasked.connection.use().db.pragma("journal_mode", { simple: true })).toBe("delete");
  });

  it("refuses to write when opened for reading", async () => {
    const store = existing(filled(), { readOnly: true });
    const intent = { runId: "run-1", intent: WAKE, createdAtMs: 1 } as const;
    expect(await codeOf(() => store.submitIntent(intent))).toBe("DB_WRITE_FAILED");
    expect(() => store.submitIntent(intent)).toThrow(/read-only/);
  });

  it("gives the payload of a workflow without an input schema", () => {
    const path = databasePath();
    const store = openStore(path, { out: z.object({ a: z.int() }) });
    store.createRun(newRun({ input: { any: { thing: [1] } } }));
    expect(existing(path).getInput("run-1")).toEqual({ any: { thing: [1] } });
  });

  it("cannot encode rows, for want of a schema", async () => {
    expect(await codeOf(() => existing(filled()).codec("draft"))).toBe("UNKNOWN_OUTPUT_SCHEMA");
  });
});
