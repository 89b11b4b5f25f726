import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { SchemaMap } from "../../src/model/schema.js";
import { SqlStore } from "../../src/store/logic/store.js";
import { deriveTables } from "../../src/store/tables/derive-tables.js";
import { newRun, schemas, step } from "../conformance/store/fixtures.js";
import { storeConformance } from "../conformance/store/store-conformance.js";
import { databasePath } from "./support/database.js";
import { LateDatabase } from "./support/late-database.js";

storeConformance("A database that answers later", () => {
  const folder = mkdtempSync(join(tmpdir(), "treadle-late-"));
  const stores: SqlStore<"later">[] = [];
  return {
    open(wanted = schemas) {
      const store = new SqlStore<"later">(new LateDatabase(join(folder, "service.db")), deriveTables(wanted));
      stores.push(store);
      return store;
    },
    async dispose() {
      for (const store of stores) await store.close();
      rmSync(folder, { recursive: true });
    },
  };
});

describe("calls of one handle whose database answers later", () => {
  const outputs = deriveTables(schemas).outputs;

  async function openLate(declared: SchemaMap, path = databasePath()) {
    const store = new SqlStore<"later">(new LateDatabase(path), deriveTables(declared));
    onTestFinished(() => store.close());
    await store.prepare();
    return store;
  }

  it("may overlap: every step of every run is written, in the order of each", async () => {
    const store = await openLate(schemas);
    const runIds = ["a", "b", "c", "d"];
    await Promise.all(
      runIds.map(async (runId) => {
        await store.createRun(newRun({ runId }));
        const lease = { ...step().lease, runId };
        for (const frameNo of [1, 2, 3]) await store.commit(step({ lease, run: { frameNo } }));
      }),
    );
    const runs = await Promise.all(runIds.map((runId) => store.getRun(runId)));
    expect(runs.map((run) => run?.frameNo)).toEqual([3, 3, 3, 3]);
  });

  it("find the tables of outputs that are declared while those of a run are looked for", async () => {
    const { input, draft } = schemas;
    const path = databasePath();
    const row = (store: SqlStore<"later">, value: Record<string, unknown>) => {
      const columns = store.codec("reviewNotes").encode(value);
      return step({ outputs: [{ outputKey: "reviewNotes", nodeId: "n", iteration: 0, columns }] });
    };
    // Another workflow has the table of this name, with other columns.
    const other = await openLate({ input, reviewNotes: z.object({ stars: z.int() }) }, path);
    await other.createRun(newRun({ runId: "other", workflowName: "other" }));
    await other.commit({ ...row(other, { stars: 3 }), lease: { ...step().lease, runId: "other" } });

    const store = await openLate({ input, draft }, path);
    const more = new Map([...outputs].filter(([key]) => key === "reviewNotes"));
    await Promise.all([store.createRun(newRun()), store.declareOutputs(more)]);
    const notes = { approved: true, when: new Date(0), tags: [] };
    await store.commit(row(store, notes));
    expect(await store.getOutput("run-1", "reviewNotes", "n", 0)).toEqual(notes);
  });
});
