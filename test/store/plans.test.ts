import Database from "better-sqlite3";
import { expect, it } from "vitest";
import type { Query } from "../../src/store/sql-port.js";
import { listApprovals } from "../../src/store/repositories/approvals.js";
import { countRunsByTime } from "../../src/store/repositories/run-times.js";
import { SQLITE } from "../../src/store/sqlite/dialect.js";
import { nextWake, wakingRuns } from "../../src/store/repositories/waking-runs.js";
import { submitIntent, wasSent } from "../../src/store/repositories/inbox.js";
import { SIGNAL, T0, WAKE } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";

const sent = { runId: "r", createdAtMs: T0, dedupeKey: "k" };

it.each<[string, Query<unknown>]>([
  ["a signal that is kept", submitIntent({ ...sent, intent: SIGNAL })],
  ["a request for one run that is kept", submitIntent({ ...sent, intent: WAKE })],
  ["a signal that may have been sent before", wasSent("r", "k")],
  ["the open requests of a run", listApprovals({ runId: "r", status: "requested", limit: 10 })],
])("%s costs the same however many rows other runs have", (_what, { sql, params }) => {
  const path = databasePath();
  openStore(path, {}).prepare();
  const file = new Database(path, { readonly: true });
  const plan = file.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...params) as { detail: string }[];
  file.close();
  for (const { detail } of plan) {
    // Of the tables only, which this calls i and a; a chain of runs is short.
    expect(detail).not.toMatch(/^SCAN (i|a|_service_\w+)\b/);
    if (/^SEARCH (i|a) /.test(detail)) expect(detail).toContain("(run_no=?");
  }
});

it("runs are counted by time in the index alone, those of an hour without a look at those before", () => {
  const path = databasePath();
  openStore(path, {}).prepare();
  const file = new Database(path, { readonly: true });
  const hour = { createdAfterMs: T0, createdBeforeMs: T0 + 3_600_000 };
  const { sql, params } = countRunsByTime(hour, 60_000, { inputs: [], ...SQLITE });
  const plan = file.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...params) as { detail: string }[];
  file.close();
  const details = plan.map(({ detail }) => detail).join();
  expect(details).toMatch(/SEARCH r USING COVERING INDEX \S*by_status \(status=\? AND created_at_ms>\?/);
});

it.each<[string, Query<unknown>]>([
  ["which of them may continue", wakingRuns({ nowMs: T0, limit: 100 })],
  ["a later page of these", wakingRuns({ nowMs: T0, limit: 100, after: { createdAtMs: T0, runId: "r" } })],
  ["when the next does by itself", nextWake()],
])("runs that only wait cost nothing where it is asked %s", (_what, { sql, params }) => {
  const path = databasePath();
  openStore(path, {}).prepare();
  const file = new Database(path, { readonly: true });
  const plan = file.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...params) as { detail: string }[];
  file.close();
  const details = plan.map(({ detail }) => detail);
  expect(details.join("\n")).toMatch(/_service_runs USING INDEX _service_runs_by_wake/);
  for (const detail of details) {
    // What is gone through as a whole is an index of runs that may continue.
    expect(detail).not.toMatch(
      /^SCAN _service_(?!\w+ USING (COVERING )?INDEX _service_(runs_held|inbox_unseen|nodes_for_child)$)/,
    );
    expect(detail).not.toMatch(/^SCAN \w\b(?! USING (COVERING )?INDEX _service_nodes_for_child$)/);
    expect(detail).not.toMatch(/^SEARCH (r (?!USING INTEGER PRIMARY KEY)|\w .*by_status)/);
  }
});
