import { ServiceError } from "../../errors/service-error.js";
import { RUN_STATUSES, type RunRow } from "../../model/run.js";
import type { ClaimRequest, FormerOwner, Lease, NewRun, RunPatch } from "../contract.js";
import type { RunFilter } from "../filters.js";
import { runConfigTable, runTable, type StoredRun } from "../engine-tables/runs.js";
import type { Query, SqlRow, SqlValue, Statement } from "../sql-port.js";
import { isBetween, isNoneOf, placeholders, RUN_NO } from "./rows.js";
import { chosenRuns, type RunSources } from "./chosen-runs.js";

const ownColumns = runTable.without("runNo");

/** Everything that `toRun` reads; a run without a configuration shows up as one that is damaged. */
export const SELECT_RUNS = `SELECT ${ownColumns.names("r")}, ${runConfigTable.names("c")}
  FROM _service_runs r LEFT JOIN _service_run_configs c ON c.run_no = r.run_no`;

export function toRun(values: SqlRow): RunRow {
  const [runId] = values;
  const run = ownColumns.read(values, typeof runId === "string" ? { runId } : {}) as RunRow;
  // Set, not spread with it: each run would get a shape of its own, and whatever reads it would look its members up.
  run.config = runConfigTable.read(values, { at: ownColumns.width, runId: run.runId }).config;
  return run;
}

/** The run's status is unknown to this library. A query of its own, so that it is found by its index in every order of runs. */
export const HAS_UNKNOWN_STATUS = `r.run_no IN (SELECT run_no FROM _service_runs WHERE ${isBetween("status", RUN_STATUSES)})`;

export function getRun(runId: string): Query<RunRow | undefined> {
  return {
    sql: `${SELECT_RUNS} WHERE r.run_id = ?`,
    params: [runId],
    read: (rows) => rows.slice(0, 1).map(toRun)[0],
  };
}

/** Of a run that was deleted meanwhile nothing says which of its millisecond came before it: they are read again. */
const NUMBER_OF = `COALESCE((SELECT run_no FROM _service_runs WHERE run_id = ?), ${Number.MAX_SAFE_INTEGER})`;

/** Newest first; runs of one millisecond in the order in which they were made. */
export function listRuns(filter: RunFilter, sources: RunSources): Query<RunRow[]> {
  const { conditions, params } = chosenRuns(filter, sources);
  const where = (condition: string, ...values: SqlValue[]) => {
    conditions.push(condition);
    params.push(...values);
  };
  if (filter.unknownStatus === true) where(HAS_UNKNOWN_STATUS);
  if (filter.parentRunId !== undefined) where("r.parent_run_id = ?", filter.parentRunId);
  if (filter.finishedBeforeMs !== undefined) where("r.finished_at_ms < ?", filter.finishedBeforeMs);
  if (filter.except !== undefined) where(isNoneOf("r.run_id", filter.except.length), ...filter.except);
  if (filter.after !== undefined) {
    const { createdAtMs, runId } = filter.after;
    where(
      `(r.created_at_ms < ? OR (r.created_at_ms = ? AND r.run_no < ${NUMBER_OF}))`,
      createdAtMs,
      createdAtMs,
      runId,
    );
  }
  const clause = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  return {
    sql: `${SELECT_RUNS}${clause} ORDER BY r.created_at_ms DESC, r.run_no DESC LIMIT ?`,
    params: [...params, filter.limit],
    read: (rows) => rows.map(toRun),
  };
}

const ids = runTable.pick("runId");

/** The ids between the prefix and the prefix followed by the highest character. */
export function findRunIds(prefix: string, limit: number): Query<string[]> {
  return {
    sql: "SELECT run_id FROM _service_runs WHERE run_id >= ? AND run_id < ? ORDER BY created_at_ms DESC, run_no DESC LIMIT ?",
    params: [prefix, `${prefix}\u{10ffff}`, limit],
    read: (rows) => ids.all(rows).map(({ runId }) => runId),
  };
}

export type RunHead = Pick<StoredRun, "runNo" | "workflowName" | "ownerId" | "epoch" | "nextSeq">;

const heads = runTable.pick("runNo", "workflowName", "ownerId", "epoch", "nextSeq");

/** Number, lease and next event of a run: what a commit is checked against. */
export function getRunHead(runId: string): Query<RunHead | undefined> {
  return {
    sql: `SELECT ${heads.names()} FROM _service_runs WHERE run_id = ?`,
    params: [runId],
    read: (rows) => heads.first(rows, runId),
  };
}

const created = runTable.pick(
  "runId",
  "parentRunId",
  "workflowName",
  "workflowPath",
  "workflowHash",
  "status",
  "createdAtMs",
  "heartbeatAtMs",
  "ownerId",
  "epoch",
  "frameNo",
  "nextSeq",
  "paused",
  "inCompany",
);
const INSERT_RUN = `INSERT INTO _service_runs (${created.names()})
  VALUES (${placeholders(created.width)}) ON CONFLICT (run_id) DO NOTHING`;
const INSERT_CONFIG = `INSERT INTO _service_run_configs (run_no, ${runConfigTable.names()}) VALUES (${RUN_NO}, ?)`;

/** The run row and its configuration. */
export function insertRun(run: NewRun): Statement[] {
  const { ownerId, nowMs } = run;
  return [
    {
      sql: INSERT_RUN,
      params: created.write({
        ...run,
        status: "running",
        createdAtMs: nowMs,
        heartbeatAtMs: ownerId === null ? null : nowMs,
        epoch: ownerId === null ? 0 : 1,
        frameNo: 0,
        nextSeq: run.seed?.events?.length ?? 0,
        paused: run.paused ?? null,
        inCompany: run.inCompany ?? false,
      }),
      expectRows: 1,
      onMiss: () =>
        new ServiceError("RUN_EXISTS", `A run with the id "${run.runId}" exists already.`, {
          details: { runId: run.runId },
        }),
    },
    { sql: INSERT_CONFIG, params: [run.runId, ...runConfigTable.write(run)] },
  ];
}

const CLAIM = `UPDATE _service_runs SET owner_id = ?, epoch = epoch + 1, heartbeat_at_ms = ?,
  deaths = deaths + ?, in_company = coalesce(?, in_company), lost_starts = lost_starts + ?
  WHERE run_id = ? AND epoch = ? AND owner_id IS NOT DISTINCT FROM ? AND heartbeat_at_ms IS NOT DISTINCT FROM ?`;

/** Null leaves it as it is. */
function companyOf({ inCompany }: { inCompany?: boolean }): number | null {
  return inCompany === undefined ? null : Number(inCompany);
}

/** One conditional update: of several claimants that read the same row, one wins. */
export function takeLease({ runId, ownerId, nowMs, expected, ...claim }: ClaimRequest): Statement {
  const { isAfterDeath = false } = claim;
  return {
    sql: CLAIM,
    params: [
      ownerId,
      nowMs,
      Number(isAfterDeath),
      companyOf(claim),
      Number(claim.inCompany === false),
      runId,
      expected.epoch,
      expected.ownerId,
      expected.heartbeatAtMs,
    ],
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

export function noteCompany({ runId, ownerId, epoch }: Lease, onMiss: () => Error): Statement {
  return {
    sql: `UPDATE _service_runs SET in_company = 1,
      lost_starts = CASE WHEN in_company = 0 AND lost_starts > 0 THEN lost_starts - 1 ELSE lost_starts END ${WHILE_LEASED}`,
    params: [runId, ownerId, epoch],
    expectRows: 1,
    onMiss,
  };
}

/** As if it had not been claimed: the death of the owner before counts with the next claim. */
const FORMERLY =
  "owner_id = ?, heartbeat_at_ms = ?, in_company = coalesce(?, in_company), deaths = CASE WHEN deaths > 0 THEN deaths - 1 ELSE 0 END";

export function dropLease(
  { runId, ownerId, epoch }: Lease,
  { onMiss, formerly }: { onMiss: () => Error; formerly?: FormerOwner | undefined },
): Statement {
  const columns = `lost_starts = 0, ${formerly === undefined ? "owner_id = NULL" : FORMERLY}`;
  const before =
    formerly === undefined ? [] : [formerly.ownerId, formerly.heartbeatAtMs, companyOf(formerly)];
  return {
    sql: `UPDATE _service_runs SET ${columns} ${WHILE_LEASED}`,
    params: [...before, runId, ownerId, epoch],
    expectRows: 1,
    onMiss,
  };
}

/** Members that a patch may set, in the order of the statement: few texts, so that most are prepared already. */
const PATCHABLE = [
  "frameNo",
  "nextSeq",
  "status",
  "workflowName",
  "startedAtMs",
  "finishedAtMs",
  "error",
  "summary",
  "paused",
  "wakeAtMs",
  "nextRunId",
  "workflowHash",
  "lostStarts",
] as const satisfies (keyof RunPatch & keyof StoredRun)[];

type Patchable = (typeof PATCHABLE)[number];

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
export function patchRun(
  { runNo, lease, firstSeq, patch }: RunStep,
  onMiss: () => Error | Query<Error>,
): Statement {
  const params: SqlValue[] = [];
  // Which members are there, as a number with a bit for each.
  let form = 0;
  for (let index = 0; index < PATCHABLE.length; index += 1) {
    const member = PATCHABLE[index] as Patchable;
    const value = patch[member];
    if (value === undefined) continue;
    // A release sets it as well, and Postgres takes one assignment of a column.
    if (member === "lostStarts" && patch.release === true) continue;
    form += 1 << index;
    params.push(runTable.writeMember(member, value));
  }
  params.push(runNo, lease.ownerId, lease.epoch);
  if (firstSeq !== undefined) params.push(firstSeq);
  return {
    sql: patchSql(form, patch.release ?? false, firstSeq !== undefined),
    params,
    expectRows: 1,
    onMiss,
  };
}

/** The text of each form of the fence that was needed. */
const patchTexts = new Map<number, string>();

const RELEASES = [false, true, "dying"] as const;

function patchSql(form: number, release: (typeof RELEASES)[number], continuesLog: boolean): string {
  const key = form * 6 + RELEASES.indexOf(release) * 2 + (continuesLog ? 1 : 0);
  const known = patchTexts.get(key);
  if (known !== undefined) return known;
  const set = PATCHABLE.filter((_member, index) => (form & (1 << index)) !== 0).map(
    (member) => `${runTable.columns[member].name} = ?`,
  );
  if (release !== false) {
    set.push("owner_id = NULL", release === "dying" ? "deaths = deaths + 1" : "deaths = 0, lost_starts = 0");
  }
  const assignments = set.length === 0 ? "epoch = epoch" : set.join(", ");
  const log = continuesLog ? " AND next_seq = ?" : "";
  const sql = `UPDATE _service_runs SET ${assignments} WHERE run_no = ? AND owner_id = ? AND epoch = ?${log}`;
  patchTexts.set(key, sql);
  return sql;
}
