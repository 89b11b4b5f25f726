import { ServiceError } from "../../errors/service-error.js";
import { type NodeWait, waitsFor } from "../../model/intent.js";
import { OPEN_STATUSES } from "../../model/run.js";
import { nodeTable } from "../engine-tables/nodes.js";
import type { Query, SqlRow } from "../sql-port.js";
import { isOneOf } from "./rows.js";

const waiting = nodeTable.pick("nodeId", "iteration", "wait");
const STATUSES = OPEN_STATUSES;

/** Ids of runs with a node that waits for exactly this signal, oldest first. */
export function runsAwaiting(signal: string, correlationId: string | null): Query<string[]> {
  return {
    sql: `SELECT r.run_id, ${waiting.names("n")} FROM _service_runs r JOIN _service_nodes n ON n.run_no = r.run_no
      WHERE ${isOneOf("r.status", STATUSES.length)} AND n.state = 'waiting-event' AND n.awaited_event = ?
      ORDER BY r.created_at_ms, r.run_id`,
    params: [...STATUSES, signal],
    read(rows) {
      const found = new Set<string>();
      for (const row of rows) {
        const runId = row[0] as string;
        if (waitsFor(readWait(row, runId), { signal, correlationId: correlationId ?? undefined }))
          found.add(runId);
      }
      return [...found];
    },
  };
}

/** A damaged row waits for nothing that can be sent; it keeps no other run from its signal. */
function readWait(row: SqlRow, runId: string): NodeWait | null {
  try {
    return waiting.read(row, { at: 1, runId }).wait;
  } catch (error) {
    if (!ServiceError.is(error, "STORAGE_ERROR")) throw error;
    return null;
  }
}
