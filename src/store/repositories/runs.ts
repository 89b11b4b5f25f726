import { ServiceError } from "../../errors/service-error.js";
import { RUN_STATUSES, type RunRow } from "../../model/run.js";
import type { ClaimRequest, FormerOwner, Lease, NewRun, RunFilter, RunPatch } from "../contract.js";
import type { Query, SqlRow, SqlValue, Statement } from "../sql-port.js";
import { count, instant, oneOf, orNull, record, text } from "./cells.js";
import { each, first, isOneOf, RUN_NO, toJson } from "./rows.js";

export const SELECT_RUNS = `SELECT r.run_id, r.parent_run_id, r.workflow_name, r.workflow_path, r.workflow_hash, r.status,
  r.created_at_ms, r.started_at_ms, r.finished_at_ms, r.heartbeat_at_ms, r.owner_id, r.epoch, r.frame_no, r.next_seq,
  r.next_run_id, r.error_json, r.summary_json, r.paused_json, r.wake_at_ms, c.config_json, r.seen_intent
  FROM _service_runs r JOIN _service_run_configs c ON c.run_no = r.run_no`;

export function toRun(row: SqlRow): RunRow {
  return {
    runId: text(row[0]),
    parentRunId: orNull(text, row[1]),
    workflowName: text(row[2]),
    workflowPath: orNull(text, row[3]),
    workflowHash: orNull(text, row[4]),
    status: oneOf(RUN_STATUSES, row[5]),
    createdAtMs: instant(row[6]),
    startedAtMs: orNull(instant, row[7]),
    finishedAtMs: orNull(instant, row[8]),
    heartbeatAtMs: orNull(instant, row[9]),
    ownerId: orNull(text, row[10]),
    epoch: count(row[11]),
    frameNo: count(row[12]),
    nextSeq: count(row[13]),
    nextRunId: orNull(text, row[14]),
    error: orNull(record, row[15]) as RunRow["error"],
    summary: orNull(record, row[16]) as RunRow["summary"],
    paused: orNull(record, row[17]) as RunRow["paused"],
    wakeAtMs: orNull(instant, row[18]),
    config: record<RunRow["config"]>(row[19]),
    seenIntent: count(row[20]),
  };
}

export function getRun(runId: string): Query<RunRow | undefined> {
  return { sql: `${SELECT_RUNS} WHERE r.run_id = ?`, params: [runId], read: first("_service_runs", toRun) };
}

/** Newest first. */
export function listRuns(filter: RunFilter): Query<RunRow[]> {
  const conditions: string[] = [];
  const params: SqlValue[] = [];
  const where = (condition: string, ...values: SqlValue[]) => {
    conditions.push(condition);
    params.push(...values);
  };
  if (filter.statuses !== undefined) {
    where(isOneOf("r.status", filter.statuses.length), ...filter.statuses);
  }
  if (filter.workflowName !== undefined) where("r.workflow_name = ?", filter.workflowName);
  if (filter.parentRunId !== undefined) where("r.parent_run_id = ?", filter.parentRunId);
  if (filter.createdBeforeMs !== undefined) where("r.created_at_ms < ?", filter.createdBeforeMs);
  if (filter.finishedBeforeMs !== undefined) where("r.finished_at_ms < ?", filter.finishedBeforeMs);
  if (filter.cursor !== undefined) {
    const { createdAtMs, runId } = parseCursor(filter.cursor);
    where("(r.created_at_ms < ? OR (r.created_at_ms = ? AND r.run_id < ?))", createdAtMs, createdAtMs, runId);
  }
  const clause = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  return {
    sql: `${SELECT_RUNS}${clause} ORDER BY r.created_at_ms DESC, r.run_id DESC LIMIT ?`,
    params: [...params, filter.limit],
    read: each("_service_runs", toRun),
  };
}

export function parseCursor(cursor: string): { createdAtMs: number; runId: string } {
  const match = /^(\d+):(.+)$/s.exec(cursor);
  if (match !== null) return { createdAtMs: Number(match[1]), runId: match[2] as string };
  throw new ServiceError(
    "INVALID_INPUT",
    `The cursor ${JSON.stringify(cursor.slice(0, 80))} is not one of a page of runs.`,
    {
      details: { issues: [{ path: "cursor", message: "expected <createdAtMs>:<runId>" }] },
    },
  );
}

/** The ids between the prefix and the prefix followed by the highest character. */
export function findRunIds(prefix: string, limit: number): Query<string[]> {
  return {
    sql: "SELECT run_id FROM _service_runs WHERE run_id >= ? AND run_id < ? ORDER BY created_at_ms DESC, run_no DESC LIMIT ?",
    params: [prefix, `${prefix}\u{10ffff}`, limit],
    read: each("_service_runs", ([runId]) => runId as string),
  };
}

export interface RunHead {
  runNo: number;
  workflowName: string;
  ownerId: string | null;
  epoch: number;
  nextSeq: number;
}

/** Number, lease and next event of a run: what a commit is checked against. */
export function getRunHead(runId: string): Query<RunHead | undefined> {
  return {
    sql: "SELECT run_no, workflow_name, owner_id, epoch, next_seq FROM _service_runs WHERE run_id = ?",
    params: [runId],
    read: first("_service_runs", ([runNo, workflowName, ownerId, epoch, nextSeq]) => ({
      runNo: runNo as number,
      workflowName: workflowName as string,
      ownerId: ownerId as string | null,
      epoch: epoch as number,
      nextSeq: nextSeq as number,
    })),
  };
}

const INSERT_RUN = `INSERT INTO _service_runs (run_id, parent_run_id, workflow_name, workflow_path, workflow_hash, status,
  created_at_ms, heartbeat_at_ms, owner_id, epoch, frame_no, next_seq)
  VALUES (?, ?, ?, ?, ?, 'running', ?, ?, ?, ?, 0, 0) ON CONFLICT (run_id) DO NOTHING`;
const INSERT_CONFIG = `INSERT INTO _service_run_configs (run_no, config_json) VALUES (${RUN_NO}, ?)`;

/** The run row and its configuration. */
export function insertRun(run: NewRun): Statement[] {
  const { ownerId, nowMs } = run;
  return [
    {
      sql: INSERT_RUN,
      params: [
        run.runId,
        run.parentRunId,
        run.workflowName,
        run.workflowPath,
        run.workflowHash,
        nowMs,
        ownerId === null ? null : nowMs,
        ownerId,
        ownerId === null ? 0 : 1,
      ],
      expectRows: 1,
      onMiss: () =>
        new ServiceError("RUN_EXISTS", `A run with the id "${run.runId}" exists already.`, {
          details: { runId: run.runId },
        }),
    },
    { sql: INSERT_CONFIG, params: [run.runId, JSON.stringify(run.config)] },
  ];
}

const CLAIM = `UPDATE _service_runs SET owner_id = ?, epoch = epoch + 1, heartbeat_at_ms = ?
  WHERE run_id = ? AND epoch = ? AND owner_id IS NOT DISTINCT FROM ? AND heartbeat_at_ms IS NOT DISTINCT FROM ?`;

/** One conditional update: of several claimants that read the same row, one wins. */
export function claimRun({ runId, ownerId, nowMs, expected }: ClaimRequest): Statement {
  return {
    sql: CLAIM,
    params: [ownerId, nowMs, runId, expected.epoch, expected.ownerId, expected.heartbeatAtMs],
    expectRows: 1,
    onMiss: () =>
      new ServiceError(
        "RUN_RESUME_CLAIM_FAILED",
        `Run "${runId}" changed hands before it could be claimed.`,
        {
          details: { runId, expected },
        },
      ),
  };
}

const WHILE_LEASED = "WHERE run_id = ? AND owner_id = ? AND epoch = ?";

export function beatLease({ runId, ownerId, epoch }: Lease, nowMs: number, onMiss: () => Error): Statement {
  return {
    sql: `UPDATE _service_runs SET heartbeat_at_ms = ? ${WHILE_LEASED}`,
    params: [nowMs, runId, ownerId, epoch],
    expectRows: 1,
    onMiss,
  };
}

export function dropLease(
  { runId, ownerId, epoch }: Lease,
  { onMiss, formerly }: { onMiss: () => Error; formerly?: FormerOwner | undefined },
): Statement {
  const columns = formerly === undefined ? "owner_id = NULL" : "owner_id = ?, heartbeat_at_ms = ?";
  const before = formerly === undefined ? [] : [formerly.ownerId, formerly.heartbeatAtMs];
  return {
    sql: `UPDATE _service_runs SET ${columns} ${WHILE_LEASED}`,
    params: [...before, runId, ownerId, epoch],
    expectRows: 1,
    onMiss,
  };
}

/** Columns that a patch may set, with how its member becomes a value. */
const PATCHABLE: readonly [column: string, value: (patch: RunPatch) => SqlValue | undefined][] = [
  ["frame_no", (patch) => patch.frameNo],
  ["next_seq", (patch) => patch.nextSeq],
  ["status", (patch) => patch.status],
  ["workflow_name", (patch) => patch.workflowName],
  ["started_at_ms", (patch) => patch.startedAtMs],
  ["finished_at_ms", (patch) => patch.finishedAtMs],
  ["error_json", (patch) => (patch.error === undefined ? undefined : toJson(patch.error))],
  ["summary_json", (patch) => (patch.summary === undefined ? undefined : toJson(patch.summary))],
  ["paused_json", (patch) => (patch.paused === undefined ? undefined : toJson(patch.paused))],
  ["wake_at_ms", (patch) => patch.wakeAtMs],
  ["seen_intent", (patch) => patch.seenIntent],
  ["next_run_id", (patch) => patch.nextRunId],
  ["owner_id", (patch) => (patch.release === true ? null : undefined)],
];

export interface RunStep {
  runNo: number;
  lease: Lease;
  /** Sequence number of the step's first event. */
  firstSeq: number | undefined;
  patch: RunPatch;
}

/**
 * The fence of a commit: changes the run row while the lease holds and, when the
 * step has events, while they continue the log without a gap.
 */
export function patchRun({ runNo, lease, firstSeq, patch }: RunStep, onMiss: () => Error): Statement {
  let assignments = "";
  const params: SqlValue[] = [];
  for (const [column, read] of PATCHABLE) {
    const value = read(patch);
    if (value === undefined) continue;
    assignments += assignments === "" ? `${column} = ?` : `, ${column} = ?`;
    params.push(value);
  }
  params.push(runNo, lease.ownerId, lease.epoch);
  let sql = `UPDATE _service_runs SET ${assignments || "epoch = epoch"} WHERE run_no = ? AND owner_id = ? AND epoch = ?`;
  if (firstSeq !== undefined) {
    sql += " AND next_seq = ?";
    params.push(firstSeq);
  }
  return { sql, params, expectRows: 1, onMiss };
}
