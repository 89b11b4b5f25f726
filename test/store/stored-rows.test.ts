import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { openExisting } from "../../src/store/open-existing.js";
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
      controls: [{ kind: "loop", id: "l", iteration: 1, done: false, exhausted: false }],
      events: events(0, { type: "RunFinished" }),
      frames: [frame(1, { snapshot: { encoding: "keyframe", json: "{}" } })],
    }),
  );
  store.close();
  return path;
}

/** Everything that reads rows of a run without its workflow. */
function readAll(store: ReturnType<typeof openExisting>): void {
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
  store.listApprovals({ runId: "run-1", limit: 5 });
  store.listControls("run-1");
  store.listUsage("run-1");
}

/** A request of the only run. */
const ASKED = `INSERT INTO _service_approvals (run_no, node_id, iteration, status, mode, request_json, request_hash,
  requested_at_ms, auto_approved) SELECT run_no, 'a', 0, 'requested', 'gate', '{"title":"?"}', '', 1, 0 FROM _service_runs`;

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

describe("a row that this library has not written", () => {
  it.each(jsonColumns)("is refused with STORAGE_ERROR naming its table: %s", (place) => {
    const [table = "", column = ""] = place.split(".");
    const path = filled();
    const db = new Database(path);
    db.exec(`UPDATE ${table} SET ${column} = '{"half": '`);
    db.close();
    const store = openExisting(path);
    try {
      expect(() => readAll(store)).toThrow(`in table ${table}: ${column} `);
      expect(() => readAll(store)).toThrow(expect.objectContaining({ code: "STORAGE_ERROR" }) as never);
    } finally {
      store.close();
    }
  });

  it.each([
    ["_service_runs", "status", "'asleep'"],
    ["_service_runs", "created_at_ms", "'yesterday'"],
    ["_service_runs", "next_seq", "-1"],
    ["_service_runs", "frame_no", "9e300"],
    ["_service_runs", "summary_json", "'[]'"],
    ["_service_run_configs", "config_json", "'null'"],
    ["_service_nodes", "state", "'undone'"],
    ["_service_nodes", "kind", "'magic'"],
    ["_service_nodes", "iteration", "-4"],
    ["_service_nodes", "iteration", "1e18"],
    ["_service_nodes", "last_attempt", "'many'"],
    ["_service_nodes", "due_at_ms", "'soon'"],
    ["_service_nodes", "output_key", "x'00'"],
    ["_service_attempts", "state", "''"],
    ["_service_attempts", "attempt", "1.5"],
    ["_service_attempts", "started_at_ms", "9e999"],
    ["_service_attempts", "error_json", "'7'"],
    ["_service_events", "timestamp_ms", "'now'"],
    ["_service_events", "payload_json", "'null'"],
    ["_service_frames", "created_at_ms", "'then'"],
    ["_service_frames", "encoding", "'rot13'"],
    ["_service_controls", "state_json", "'null'"],
    ["_service_approvals", "status", "'maybe'"],
    ["_service_approvals", "mode", "'vote'"],
    ["_service_approvals", "request_json", "'null'"],
    ["_service_approvals", "allowed_users_json", "'[1]'"],
    ["_service_approvals", "requested_at_ms", "'soon'"],
  ])("is refused with STORAGE_ERROR naming its table: %s.%s = %s", (table, column, value) => {
    const path = filled();
    const db = new Database(path);
    db.exec(ASKED);
    expect(db.prepare(`UPDATE ${table} SET ${column} = ${value}`).run().changes).toBeGreaterThan(0);
    db.close();
    const store = openExisting(path);
    try {
      expect(() => readAll(store)).toThrow(`in table ${table}: ${column} `);
      expect(() => readAll(store)).toThrow(expect.objectContaining({ code: "STORAGE_ERROR" }) as never);
    } finally {
      store.close();
    }
  });
});
