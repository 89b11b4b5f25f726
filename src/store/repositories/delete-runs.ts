import type { EngineTable } from "../columns/row-table.js";
import { engineTables } from "../engine-tables/all.js";
import { placeOf } from "../engine-tables/places.js";
import { runTable, type StoredRun } from "../engine-tables/runs.js";
import type { Query, Statement } from "../sql-port.js";
import { quoteName } from "../tables/names.js";
import { isOneOf } from "./rows.js";

/** Tables whose rows belong to a run by its number. */
const RUN_TABLES = engineTables.filter(({ ofRun }) => ofRun);

const deletable = runTable.pick("runNo", "runId", "ownerId", "heartbeatAtMs");

export type DeletableRun = Pick<StoredRun, "runNo" | "runId" | "ownerId" | "heartbeatAtMs">;

/** Those of the runs that have ended. */
export function listDeletable(runIds: readonly string[]): Query<DeletableRun[]> {
  return {
    sql: `SELECT ${deletable.names()} FROM _service_runs
      WHERE ${isOneOf("run_id", runIds.length)}
      AND status IN ('finished', 'continued', 'failed', 'cancelled') ORDER BY run_no`,
    params: runIds,
    read: (rows) => deletable.all(rows),
  };
}

/** Everything that belongs to a run: engine rows by number, generated rows by id, the run row last. */
export function deleteRun({ runNo, runId }: DeletableRun, generatedTables: readonly string[]): Statement[] {
  return [
    ...RUN_TABLES.map((table) => deleteRows(table, runNo)),
    ...generatedTables.map((table) => ({
      sql: `DELETE FROM ${quoteName(table)} WHERE run_id = ?`,
      params: [runId],
    })),
    { sql: "DELETE FROM _service_runs WHERE run_no = ?", params: [runNo] },
  ];
}

function deleteRows({ name, storage }: EngineTable, runNo: number): Statement {
  if (storage.isKeyOfAll !== true) return { sql: `DELETE FROM ${name} WHERE run_no = ?`, params: [runNo] };
  // By the key: these rows are found by nothing else.
  const places = [placeOf(runNo, 0), placeOf(runNo + 1, 0)];
  return { sql: `DELETE FROM ${name} WHERE place >= ? AND place < ?`, params: places };
}
