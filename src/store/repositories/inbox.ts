import { ServiceError } from "../../errors/service-error.js";
import { type Intent, type IntentKind, intentSchema } from "../../model/intent.js";
import { isTerminal, RUN_STATUSES, type RunStatus } from "../../model/run.js";
import { described } from "../columns/shape.js";
import type { NewIntent, StoredIntent } from "../contract.js";
import { inboxTable } from "../engine-tables/inbox.js";
import type { Query, SqlRow, SqlValue, Statement } from "../sql-port.js";
import { isOneOf, placeholders, RUN_NO } from "./rows.js";

/** Kinds that are meant for the work, not for one node of one run. */
const CHAIN_KINDS: readonly string[] = ["signal", "cancel"] satisfies IntentKind[];

/** Intents that a failed run keeps for the process that resumes it: answers to what its nodes still wait for, what people do for its tasks, and no wish for an agent that worked then. */
function isKeptByFailed(intent: NewIntent["intent"]): boolean {
  const { kind } = intent;
  if (kind === "hijack") return intent.action === "release";
  return kind === "approval" || kind === "complete" || kind === "skip";
}

/** Requests to cancel and to take over: a run that is resumed after its end is not what they were about. */
function endsWithRun(intent: NewIntent["intent"]): boolean {
  return intent.kind === "cancel" || (intent.kind === "hijack" && intent.action === "take");
}

const sent = inboxTable.pick("kind", "payload", "createdAtMs", "dedupeKey", "endsWithRun");
const sentValues = placeholders(sent.width);

/** Condition that a run takes intents: looked at with the insert, since the run may have ended after its sender did. */
function isOpen(status: string, isClosed: (status: RunStatus) => boolean): string {
  const closed = RUN_STATUSES.filter(isClosed).map((name) => `'${name}'`);
  return `${status} NOT IN (${closed.join(", ")})`;
}

const insertFor = (condition: string) => `INSERT INTO _service_inbox (run_no, ${sent.names()})
  SELECT run_no, ${sentValues} FROM _service_runs WHERE run_id = ? AND ${condition}
  ON CONFLICT (run_no, dedupe_key) DO NOTHING`;

const INSERT = insertFor(isOpen("status", isTerminal));
const INSERT_KEPT = insertFor(isOpen("status", (status) => isTerminal(status) && status !== "failed"));

/** The run and those that continue it. Parameter: its id. */
const CHAIN = `WITH RECURSIVE chain (run_no, next_run_id, status) AS (
    SELECT run_no, next_run_id, status FROM _service_runs WHERE run_id = ?
    UNION ALL
    SELECT r.run_no, r.next_run_id, r.status FROM _service_runs r JOIN chain c ON r.run_id = c.next_run_id
  )`;

/** The run may have gone on as another since its sender looked at it. */
const INSERT_FOR_CHAIN = `INSERT INTO _service_inbox (run_no, ${sent.names()})
  ${CHAIN}
  SELECT run_no, ${sentValues} FROM chain WHERE next_run_id IS NULL AND ${isOpen("status", isTerminal)}
    AND NOT EXISTS (SELECT 1 FROM _service_inbox i WHERE i.dedupe_key = ? AND i.run_no IN (SELECT run_no FROM chain))
  ON CONFLICT (run_no, dedupe_key) DO NOTHING`;

const kept = inboxTable.pick("id", "kind", "payload", "createdAtMs", "seen");
const intentShape = described(intentSchema);

/** Id of the new row; undefined when the run is unknown or has ended, or the key was used before. */
export function submitIntent(intent: NewIntent): Query<number | undefined> {
  return {
    ...withReturning(insertIntent(intent)),
    read: ([row]) => row?.[0] as number | undefined,
  };
}

/** Whether the run, or one that continues it, has been sent an intent of this key, consumed or not. */
export function wasSent(runId: string, dedupeKey: string): Query<boolean> {
  return {
    sql: `SELECT 1 FROM _service_inbox i WHERE i.dedupe_key = ?
      AND i.run_no IN (${CHAIN} SELECT run_no FROM chain) LIMIT 1`,
    params: [dedupeKey, runId],
    read: (rows) => rows.length > 0,
  };
}

/** The error for an intent that no run can take. */
export function runNotFound(runId: string): ServiceError {
  return new ServiceError("RUN_NOT_FOUND", `There is no run "${runId}" in the database.`, {
    details: { runId },
  });
}

/** As one statement of a commit. Nothing is written when the run is unknown or has ended, or the key was used before. */
export function insertIntent(intent: NewIntent): Statement {
  const { createdAtMs, dedupeKey, runId } = intent;
  const { kind, ...payload } = intent.intent;
  const row = {
    kind,
    payload,
    createdAtMs,
    dedupeKey: dedupeKey ?? null,
    endsWithRun: endsWithRun(intent.intent),
  };
  const values: SqlValue[] = sent.write(row);
  return CHAIN_KINDS.includes(kind)
    ? { sql: INSERT_FOR_CHAIN, params: [runId, ...values, row.dedupeKey] }
    : { sql: isKeptByFailed(intent.intent) ? INSERT_KEPT : INSERT, params: [...values, runId] };
}

function withReturning({ sql, params }: Statement) {
  return { sql: `${sql} RETURNING id`, params };
}

/** Hands unconsumed intents over when a run continues as another, which has seen none of them. */
export function handOverIntents(runNo: number, nextRunId: string): Statement {
  return {
    sql: `UPDATE _service_inbox SET run_no = ${RUN_NO}, seen = 0
      WHERE run_no = ? AND consumed_at_ms IS NULL AND ${isOneOf("kind", CHAIN_KINDS.length)}`,
    params: [nextRunId, runNo, ...CHAIN_KINDS],
  };
}

/** Ends the requests that are void with the end of the run. */
export function voidRequests(runNo: number, nowMs: number): Statement {
  return {
    sql: "UPDATE _service_inbox SET consumed_at_ms = ? WHERE run_no = ? AND consumed_at_ms IS NULL AND ends_with_run = 1",
    params: [nowMs, runNo],
  };
}

/** Intents that are not consumed, in order of arrival. */
export function pendingIntents(runId: string): Query<StoredIntent[]> {
  return {
    sql: `SELECT ${kept.names()} FROM _service_inbox
      WHERE run_no = ${RUN_NO} AND consumed_at_ms IS NULL ORDER BY id`,
    params: [runId],
    read: (rows) => rows.map((row) => toIntent(runId, row)),
  };
}

/** Those of the ids, in order of arrival, consumed or not. */
export function listIntents(runId: string, ids: readonly number[]): Query<StoredIntent[]> {
  return {
    sql: `SELECT ${kept.names()} FROM _service_inbox
      WHERE run_no = ${RUN_NO} AND ${isOneOf("id", ids.length)} ORDER BY id`,
    params: [runId, ...ids],
    read: (rows) => rows.map((row) => toIntent(runId, row)),
  };
}

/** A row that does not fit must not keep the others from being read. */
function toIntent(runId: string, values: SqlRow): StoredIntent {
  try {
    const { id, kind, payload, createdAtMs, seen } = kept.read(values, { runId });
    const intent = { ...payload, kind };
    const problem = intentShape.mismatch(intent, "");
    if (problem === undefined) return { id, runId, intent: intent as Intent, createdAtMs, seen };
    throw kept.damaged(values, { runId, column: "payload_json", problem: `holds no ${kind}: ${problem}` });
  } catch (error) {
    if (!ServiceError.is(error, "STORAGE_ERROR")) throw error;
    // The database gives every row a number of its own, and the flag is the last value.
    const [id, seen] = [values[0] as number, values.at(-1) === 1];
    return { id, runId, intent: { kind: "unreadable", error }, createdAtMs: 0, seen };
  }
}

/** The process that drives the run has taken note of it. */
export function markSeen(runNo: number, id: number): Statement {
  return { sql: "UPDATE _service_inbox SET seen = 1 WHERE id = ? AND run_no = ?", params: [id, runNo] };
}

/** The row stays: its key must continue refusing duplicates. */
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
