import type { StoredControl } from "../../model/plan.js";
import { controlTable } from "../engine-tables/controls.js";
import type { Query, Statement } from "../sql-port.js";
import { RUN_NO, upsertOf } from "./rows.js";

const UPSERT = upsertOf(controlTable);

export function upsertControl(runNo: number, state: StoredControl): Statement {
  const { kind, id } = state;
  return { sql: UPSERT, params: controlTable.writeOf(runNo, { kind, id, state }), isRow: true };
}

export function listControls(runId: string): Query<StoredControl[]> {
  return {
    sql: `SELECT ${controlTable.names()} FROM _service_controls WHERE run_no = ${RUN_NO} ORDER BY kind, id`,
    params: [runId],
    read: (rows) => controlTable.all(rows, runId).map(({ state }) => state),
  };
}
