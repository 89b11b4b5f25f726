import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../src/errors/service-error.js";
import { openExisting } from "../../src/store/create-sqlite-db.js";
import type { SqliteStore } from "../../src/store/sqlite/store.js";
import { attempt, draft, events, frame, newRun, node, schemas, step } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";

function filled(): string {
  const path = databasePath();
  const store = openStore(path, schemas);
  store.createRun(newRun());
  store.commit(
    step({
      nodes: [node("a", { outputKey: "draft" })],
      attempts: [attempt("a")],
      outputs: [draft(store, "a", { text: "x", words: 1 })],
      controls: [{ kind: "loop", id: "l", iteration: 1, done: false } as never],
      events: events(0, { type: "RunFinished" }),
      frames: [frame(1, { snapshot: { encoding: "keyframe", json: "{}" } })],
    }),
  );
  store.close();
  return path;
}

/** Everything that reads rows of a run without its workflow. */
function readAll(store: SqliteStore): void {
  store.getRun("run-1");
  store.listRuns({ limit: 5 });
  store.loadRun("run-1", { asStored: true });
  store.getInput("run-1");
  store.listNodes("run-1");
  store.listAttempts("run-1");
  store.listEvents("run-1", { limit: 10 });
  store.listFrames("run-1", { limit: 10 });
  store.snapshotChain("run-1", 1);
  store.readOutput("run-1", "a", 0);
  store.listApprovals({ limit: 5 });
  store.listControls("run-1");
  store.listUsage("run-1");
}

const jsonColumns = [
  "_service_runs.error_json",
  "_service_runs.summary_json",
  "_service_runs.paused_json",
  "_service_run_configs.config_json",
  "_service_nodes.error_json",
  "_service_attempts.error_json",
  "_service_attempts.meta_json",
  "_service_events.payload_json",
  "_service_controls.state_json",
];

describe("a row that nobody of us has written", () => {
  it.each(jsonColumns)("is refused with STORAGE_ERROR naming its table: %s", (place) => {
    const [table = "", column = ""] = place.split(".");
    const path = filled();
    const db = new Database(path);
    db.exec(`UPDATE ${table} SET ${column} = '{"half": '`);
    db.close();
    const store = openExisting(path);
    try {
      // A run and its configuration are one row to its readers.
      const named = table.replace("_run_configs", "_runs");
      expect(() => readAll(store)).toThrow(named);
      expect(() => readAll(store)).toThrow(expect.objectContaining({ code: "STORAGE_ERROR" }) as never);
    } finally {
      store.close();
    }
  });

  it("never ends a read in anything but an error with a code", () => {
    const path = filled();
    const store = openExisting(path);
    const { db } = store.connection.use();
    fc.assert(
      fc.property(
        fc.constantFrom(...jsonColumns),
        fc.oneof(fc.string(), fc.json(), fc.double().map(String), fc.constant("")),
        (place, text) => {
          const [table = "", column = ""] = place.split(".");
          db.exec("SAVEPOINT crafted");
          try {
            db.prepare(`UPDATE ${table} SET ${column} = ?`).run(text);
            store.getRun("run-1");
            store.listNodes("run-1");
            store.listAttempts("run-1");
            store.listEvents("run-1", { limit: 10 });
            store.listControls("run-1");
          } catch (error) {
            if (!ServiceError.is(error, "STORAGE_ERROR")) throw error;
          } finally {
            db.exec("ROLLBACK TO crafted");
            db.exec("RELEASE crafted");
          }
        },
      ),
      { numRuns: 1_000, seed: 5 },
    );
    store.close();
  });
});
