import type { StoredControl } from "../../model/plan.js";
import { controlTable } from "../engine-tables/controls.js";
import { controlHistoryTable } from "../engine-tables/history.js";
import type { Query, Statement } from "../sql-port.js";
import { RUN_NO, upsertOf } from "./rows.js";

const UPSERT = upsertOf(controlTable);
const UPSERT_HISTORY = upsertOf(controlHistoryTable);

export function upsertControl(runNo: number, state: StoredControl): Statement {
  const { kind, id } = state;
  return { sql: UPSERT, params: controlTable.writeOf(runNo, { kind, id, state }), isRow: true };
}

/** Keeps a state that a later one does not overwrite. `sinceSeq` is the newest event of the commit that writes it. */
export function recordControl(runNo: number, state: StoredControl, sinceSeq: number): Statement {
  const { kind, id } = state;
  const params = controlHistoryTable.writeOf(runNo, { kind, id, sinceSeq, state });
  return { sql: UPSERT_HISTORY, params, isRow: true };
}

export function listControls(runId: string): Query<StoredControl[]> {
  return {
    sql: `SELECT ${controlTable.names()} FROM _service_controls WHERE run_no = ${RUN_NO} ORDER BY kind, id`,
    params: [runId],
    read: (rows) => controlTable.all(rows, runId).map(({ state }) => state),
  };
}
