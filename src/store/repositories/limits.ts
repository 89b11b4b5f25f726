import type { NamedLimits } from "../../model/named-limit.js";
import type { Lease } from "../contract.js";
import {
  type DeclarationRow,
  limitDeclarationTable,
  limitSlotTable,
  limitWaiterTable,
  type SlotRow,
  type WaiterRow,
} from "../engine-tables/limits.js";
import { runTable } from "../engine-tables/runs.js";
import type { FreedSlot } from "../slot-contract.js";
import type { Query, SqlRow, Statement } from "../sql-port.js";
import { isOneOf, RUN_NO, upsertOf } from "./rows.js";

/** The lease of the run that a row belongs to. */
const heads = runTable.pick("runNo", "runId", "ownerId", "epoch", "heartbeatAtMs");

/** A row with its run as it stands. */
export interface OfRun<Row> {
  row: Row;
  run: { runNo: number; runId: string; ownerId: string | null; epoch: number; heartbeatAtMs: number | null };
}

function withRun<Row>(read: (values: SqlRow, place: { at: number }) => Row) {
  return (rows: readonly SqlRow[]): OfRun<Row>[] =>
    rows.map((values) => ({ run: heads.read(values), row: read(values, { at: heads.width }) }));
}

export function declarationsOf(names: readonly string[]): Query<OfRun<DeclarationRow>[]> {
  return {
    sql: `SELECT ${heads.names("r")}, ${limitDeclarationTable.names("d")}
      FROM _service_limit_declarations d JOIN _service_runs r ON r.run_no = d.run_no
      WHERE ${isOneOf("d.name", names.length)}`,
    params: names,
    read: withRun((values, place) => limitDeclarationTable.read(values, place)),
  };
}

const INSERT_DECLARATION = upsertOf(limitDeclarationTable).replace("VALUES (?", `VALUES (${RUN_NO}`);

export function declareLimits({ runId, epoch }: Lease, declared: NamedLimits): Statement[] {
  return Object.entries(declared).map(([name, { concurrency = null, perMinute = null }]) => ({
    sql: INSERT_DECLARATION,
    params: [runId, ...limitDeclarationTable.write({ name, epoch, concurrency, perMinute })],
  }));
}

/** Slots of these limits, also those that are only kept for the rate; oldest first. */
export function slotsOf(names: readonly string[]): Query<OfRun<SlotRow>[]> {
  return {
    sql: `SELECT ${heads.names("r")}, ${limitSlotTable.names("s")}
      FROM _service_limit_slots s JOIN _service_runs r ON r.run_no = s.run_no
      WHERE ${isOneOf("s.limit_name", names.length)} ORDER BY s.id`,
    params: names,
    read: withRun((values, place) => limitSlotTable.read(values, place)),
  };
}

/** Everybody who waits, in the order in which they get slots. */
export const allWaiters: Query<OfRun<WaiterRow>[]> = {
  sql: `SELECT ${heads.names("r")}, ${limitWaiterTable.names("w")}
    FROM _service_limit_waiters w JOIN _service_runs r ON r.run_no = w.run_no ORDER BY w.place, w.run_no`,
  params: [],
  read: withRun((values, place) => limitWaiterTable.read(values, place)),
};

export function leasesOf(runIds: readonly string[]): Query<OfRun<unknown>["run"][]> {
  return {
    sql: `SELECT ${heads.names()} FROM _service_runs WHERE ${isOneOf("run_id", runIds.length)}`,
    params: runIds,
    read: (rows) => heads.all(rows),
  };
}

const newSlot = limitSlotTable.pick(
  "nodeId",
  "iteration",
  "limitName",
  "epoch",
  "takenAtMs",
  "isCounted",
  "isFree",
);

export function insertSlot(runNo: number, slot: Omit<SlotRow, "id">): Statement {
  return {
    sql: `INSERT INTO _service_limit_slots (run_no, ${newSlot.names()}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [runNo, ...newSlot.write(slot)],
  };
}

export function deleteSlot(id: number): Statement {
  return { sql: "DELETE FROM _service_limit_slots WHERE id = ?", params: [id] };
}

/** It counts from now on: the process that took it had a clock that has been set back since. */
export function restampSlot(id: number, nowMs: number): Statement {
  return { sql: "UPDATE _service_limit_slots SET taken_at_ms = ? WHERE id = ?", params: [nowMs, id] };
}

const OF_NODE = "WHERE run_no = ? AND node_id = ? AND iteration = ? AND is_free = 0";

/** A slot of a limit with a rate continues counting for that, unless it was never used. */
export function freeSlot(runNo: number, { nodeId, iteration, isUnused }: FreedSlot): Statement[] {
  const params = [runNo, nodeId, iteration];
  if (isUnused) return [{ sql: `DELETE FROM _service_limit_slots ${OF_NODE}`, params }];
  return [
    { sql: `DELETE FROM _service_limit_slots ${OF_NODE} AND is_counted = 0`, params },
    { sql: `UPDATE _service_limit_slots SET is_free = 1 ${OF_NODE}`, params },
  ];
}

const UPSERT_WAITER = upsertOf(limitWaiterTable);

export function upsertWaiter(runNo: number, row: WaiterRow): Statement {
  return { sql: UPSERT_WAITER, params: [runNo, ...limitWaiterTable.write(row)] };
}

export function deleteWaiter(runNo: number, limits: readonly string[]): Statement {
  return {
    sql: "DELETE FROM _service_limit_waiters WHERE run_no = ? AND limits_json = ?",
    params: [runNo, limitWaiterTable.writeMember("limits", [...limits])],
  };
}
