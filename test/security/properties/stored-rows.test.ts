import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import type BetterSqlite3 from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ServiceError } from "../../../src/errors/service-error.js";
import { applyDelta } from "../../../src/graph/frame-delta.js";
import { allColumns, type Craft, crafted, crafts, type Place } from "../../support/crafted-rows.js";
import fc, { propertyRuns } from "../../support/property-tests.js";
import { fillDatabase, filledSchemas } from "../../support/filled-database.js";
import { quietDb, quietExisting, type QuietStore } from "../../support/quiet-store.js";

let folder: string;
let path: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-crafted-"));
  path = join(folder, "service.db");
  fillDatabase(path);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Everything that reads rows, each by itself: one that is refused hides none of the others. */
const READS: readonly ((store: QuietStore) => unknown)[] = [
  (store) => store.getRun("run-1"),
  (store) => store.listRuns({ limit: 5 }),
  (store) => store.wakingRuns({ nowMs: 1e15, limit: 5 }),
  (store) => store.findRunIds("run", 5),
  (store) => store.loadRun("run-1", { asStored: true }),
  (store) => store.getInput("run-1"),
  (store) => store.listNodes("run-1"),
  (store) => store.countNodes("run-1"),
  (store) => store.listAttempts("run-1"),
  (store) => store.listEvents("run-1", { limit: 1_000 }),
  (store) => store.listFrames("run-1", { limit: 10 }),
  (store) => {
    const chain = store.snapshotChain("run-1", 2);
    return chain === undefined || chain.length === 0 ? undefined : applyDelta(chain);
  },
  (store) => store.readOutput("run-1", "a", 0),
  (store) => store.listOutputs("run-1", "draft"),
  (store) => store.listApprovals({ limit: 5 }),
  (store) => store.listControls("run-1"),
  (store) => store.listUsage("run-1"),
  (store) => store.listScores({ limit: 5 }),
  (store) => store.pendingIntents("run-1"),
  (store) => store.resumeFailure("run-1"),
  (store) => store.getCache("cached"),
  (store) => store.listOutputTables(),
  (store) => store.schedules.ids().map((cronId) => store.schedules.get(cronId)),
  (store) => store.schedules.occurrences({ limit: 5 }),
  (store) => store.deliveries.list({ limit: 5 }),
  (store) => store.memory.listFacts({ nowMs: 1 }),
  (store) => store.memory.search({ namespace: "workflow:essay", text: "tea", limit: 5, nowMs: 1 }),
  (store) =>
    store.memory.pageVectors({ length: 3, namespace: "workflow:essay", model: "m", limit: 5, nowMs: 1 }),
  (store) => store.memory.listThreads({ limit: 5 }),
  (store) => store.memory.listMessages({ threadId: "t" }),
];

/** What is thrown for one crafted value; reads that take it for a good one say nothing. */
function refusals(store: QuietStore): unknown[] {
  return READS.flatMap((read) => {
    try {
      // Whatever is read can be shown.
      JSON.stringify(read(store), (_, value) => (typeof value === "bigint" ? 0 : value));
      return [];
    } catch (error) {
      return [error];
    }
  });
}

/** Puts what is crafted into a column for as long as `look` looks, and then the rows as they were. */
function withCrafted(
  store: QuietStore,
  { place, craft }: { place: Place; craft: Craft },
  look: () => void,
): void {
  const { db } = store.connection.use();
  const { table, column } = place;
  const stored = db.prepare(`SELECT "${column}" FROM ${table} LIMIT 1`).pluck().get();
  try {
    db.prepare(`UPDATE ${table} SET "${column}" = ?`).run(crafted(craft, stored));
    // A process that knows the catalogue reads it again when the database has another table.
    if (isCatalogue(place)) forgetCatalogue(db);
  } catch (error) {
    // The database itself refuses it: NULL where there may be none, a key twice, another type in a key of numbers.
    if (!(error instanceof Database.SqliteError) && !(error instanceof RangeError)) throw error;
  }
  try {
    look();
  } finally {
    db.exec(`DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM untouched.${table}`);
    if (isCatalogue(place)) forgetCatalogue(db);
  }
}

function isCatalogue({ table }: Place): boolean {
  return table.startsWith("_service_output_");
}

function forgetCatalogue(db: BetterSqlite3.Database): void {
  const version = db.pragma("schema_version", { simple: true }) as number;
  db.pragma(`schema_version = ${version + 1}`);
}

/** Crafting is not about the disk. */
function prepareCrafting(store: QuietStore): Place[] {
  const { db } = store.connection.use();
  db.pragma("synchronous = OFF");
  db.exec("ATTACH ':memory:' AS untouched");
  const places = allColumns(db);
  for (const table of new Set(places.map((place) => place.table))) {
    db.exec(`CREATE TABLE untouched.${table} AS SELECT * FROM main.${table}`);
  }
  return places;
}

it("whatever stands in a column is read, or refused with STORAGE_ERROR naming table and row", () => {
  const store = quietExisting(path);
  const places = prepareCrafting(store);
  fc.assert(
    fc.property(fc.constantFrom(...places), crafts, (place, craft) => {
      withCrafted(store, { place, craft }, () => {
        for (const error of refusals(store)) {
          if (!ServiceError.is(error, "STORAGE_ERROR")) throw error;
          const { table, column } = (error.details ?? {}) as Partial<Place>;
          expect(error.message).toContain(`in table ${table}`);
          // What the catalogue says of a table decides what its rows are taken for.
          // The number ties a run to its configuration: one that may be a number is missed there.
          if (place.column === "run_no") expect(["_service_runs", "_service_run_configs"]).toContain(table);
          else if (isCatalogue(place)) expect(["input", "draft", place.table]).toContain(table);
          else expect([table, column]).toEqual([place.table, place.column]);
        }
      });
    }),
    propertyRuns(700),
  );
  store.close();
});

it("what is in the tables of a workflow is refused by a process that knows the workflow, too", () => {
  const { store } = quietDb({ path, schemas: filledSchemas });
  const places = prepareCrafting(store).filter(({ table }) => !table.startsWith("_service_"));
  const codes = ["STORAGE_ERROR", "DB_SCHEMA_CONFLICT", "MISSING_INPUT"];
  fc.assert(
    fc.property(fc.constantFrom(...places), crafts, (place, craft) => {
      withCrafted(store, { place, craft }, () => {
        try {
          JSON.stringify(store.loadRun("run-1"), (_, value) => (typeof value === "bigint" ? 0 : value));
        } catch (error) {
          if (!codes.some((code) => ServiceError.is(error, code))) throw error;
        }
      });
    }),
    propertyRuns(250),
  );
  store.close();
});
