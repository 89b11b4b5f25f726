import type { StoredControl } from "../../model/plan.js";
import type { Query, Statement } from "../sql-port.js";
import { record } from "./cells.js";
import { each, RUN_NO, upsertSql } from "./rows.js";

const UPSERT = upsertSql("_service_controls", ["run_no", "kind", "id"], ["state_json"]);

export function upsertControl(runNo: number, control: StoredControl): Statement {
  return { sql: UPSERT, params: [runNo, control.kind, control.id, JSON.stringify(control)] };
}

export function listControls(runId: string): Query<StoredControl[]> {
  return {
    sql: `SELECT state_json FROM _service_controls WHERE run_no = ${RUN_NO} ORDER BY kind, id`,
    params: [runId],
    read: each("_service_controls", ([json]) => record<StoredControl>(json)),
  };
}
