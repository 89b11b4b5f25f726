import { ServiceError } from "../../errors/service-error.js";
import type { Intent, NewIntent } from "../contract.js";
import type { Query, SqlValue, Statement } from "../sql-port.js";
import { each, RUN_NO } from "./rows.js";

const INSERT = `INSERT INTO _service_inbox (run_no, kind, payload_json, created_at_ms, dedupe_key)
  SELECT run_no, ?, ?, ?, ? FROM _service_runs WHERE run_id = ?
  ON CONFLICT (run_no, dedupe_key) DO NOTHING`;

/** Id of the new row; undefined when the run is unknown or the key was used before. */
export function submitIntent(intent: NewIntent): Query<number | undefined> {
  return {
    sql: `${INSERT} RETURNING id`,
    params: paramsOf(intent),
    read: ([row]) => row?.[0] as number | undefined,
  };
}

/** As one statement of a commit. Nothing is written when the run is unknown or the key was used before. */
export function insertIntent(intent: NewIntent): Statement {
  return { sql: INSERT, params: paramsOf(intent) };
}

function paramsOf({ kind, payload, createdAtMs, dedupeKey, runId }: NewIntent): SqlValue[] {
  return [kind, JSON.stringify(payload ?? null), createdAtMs, dedupeKey ?? null, runId];
}

/** Intents nobody has consumed, in order of arrival. */
export function pendingIntents(runId: string): Query<Intent[]> {
  return {
    sql: `SELECT id, kind, payload_json, created_at_ms FROM _service_inbox
      WHERE run_no = ${RUN_NO} AND consumed_at_ms IS NULL ORDER BY id`,
    params: [runId],
    read: each(([id, kind, payload, createdAtMs]) => ({
      id: id as number,
      runId,
      kind: kind as Intent["kind"],
      payload: JSON.parse(payload as string) as unknown,
      createdAtMs: createdAtMs as number,
    })),
  };
}

/** The row stays: its key must go on refusing duplicates. */
export function consumeIntent(runNo: number, id: number, nowMs: number): Statement {
  return {
    sql: "UPDATE _service_inbox SET consumed_at_ms = ? WHERE id = ? AND run_no = ? AND consumed_at_ms IS NULL",
    params: [nowMs, id, runNo],
    expectRows: 1,
    onMiss: () =>
      new ServiceError(
        "INTERNAL_ERROR",
        `Inbox entry ${id} was consumed twice; the second commit was refused.`,
      ),
  };
}
