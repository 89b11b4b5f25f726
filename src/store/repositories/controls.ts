import type { StoredControl } from "../../model/plan.js";
import { controlTable, storedControlTable } from "../engine-tables/controls.js";
import type { Query, SqlValue, Statement } from "../sql-port.js";
import { RUN_NO, upsertOf } from "./rows.js";

const UPSERT = upsertOf(storedControlTable);

/** Keeps the states that it had before. `sinceSeq` is the newest event of the commit that writes it. */
export function upsertControl(runNo: number, state: StoredControl, sinceSeq: number): Statement {
  const { kind, id } = state;
  return {
    sql: UPSERT,
    params: storedControlTable.writeOf(runNo, { kind, id, sinceSeq, state }),
    isRow: true,
  };
}

/** @param until of the states that count, a condition with its parameters. @default all */
export function listControls(
  runId: string,
  until: { sql: string; params: readonly SqlValue[] } = { sql: "", params: [] },
): Query<StoredControl[]> {
  // The states of a loop are many, the controls few: its table is walked through once.
  return {
    sql: `SELECT ${controlTable.names("c")} FROM
      (SELECT run_no, kind, id, max(since_seq) AS since_seq FROM _service_controls
        WHERE run_no = ${RUN_NO}${until.sql} GROUP BY run_no, kind, id) newest
      JOIN _service_controls c ON c.run_no = newest.run_no AND c.kind = newest.kind AND c.id = newest.id
        AND c.since_seq = newest.since_seq
      ORDER BY c.kind, c.id`,
    params: [runId, ...until.params],
    read: (rows) => controlTable.all(rows, runId).map(({ state }) => state),
  };
}
