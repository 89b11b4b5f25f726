import { ServiceError } from "../../errors/service-error.js";
import { isSameLimits, type NamedLimit, type NamedLimits } from "../../model/named-limit.js";
import { shareSlots } from "../../model/share-slots.js";
import type { SlotRow, WaiterRow } from "../engine-tables/limits.js";
import {
  allWaiters,
  declarationsOf,
  declareLimits,
  deleteSlot,
  deleteWaiter,
  insertSlot,
  leasesOf,
  type OfRun,
  restampSlot,
  slotsOf,
  upsertWaiter,
} from "../repositories/limits.js";
import type {
  IsAlive,
  LimitDeclaration,
  LimitQueue,
  LimitStore,
  LimitUse,
  SlotAnswer,
  SlotGrant,
  SlotRequest,
} from "../slot-contract.js";
import type { Statement, Work } from "../sql-port.js";
import type { Answered, WorkRunner, When } from "./answer.js";
import { runAll } from "./statements.js";
import { read, transaction } from "./work.js";

/** Length of the window that a rate is about, milliseconds. */
const WINDOW_MS = 60_000;

/** Places to wait in, of one of this process's runs or of another's. */
interface Place {
  readonly runNo: number;
  readonly runId: string;
  /** Null for a run of another process: only its turn is looked at. */
  readonly own: { nodes: WaiterRow["nodes"]; declared: NamedLimits } | null;
  /** As it is stored; null for a new one. */
  readonly stored: WaiterRow | null;
  row: WaiterRow;
}

/** Limits in a database: each answer is one transaction, so two processes never take one slot. */
export class StoredLimits<W extends When> implements LimitStore {
  readonly #database: WorkRunner<W>;

  constructor(database: WorkRunner<W>) {
    this.#database = database;
  }

  declare(declaration: LimitDeclaration): Answered<W, void> {
    return this.#database.run(transaction(() => declare(declaration)));
  }

  take(request: SlotRequest): Answered<W, SlotAnswer> {
    // A power failure that loses these rows has ended their processes too.
    return this.#database.run(transaction(() => take(request), "relaxed"));
  }

  queuesOf(runId: string, at: { nowMs: number; isAlive: IsAlive }): Answered<W, LimitQueue[]> {
    return this.#database.run(queuesOf(runId, at));
  }
}

function* declare({ declared, lease, isAlive }: LimitDeclaration): Work<void> {
  for (const { row, run } of yield* read(declarationsOf(Object.keys(declared)))) {
    if (run.runId === lease?.runId || !holds(row, run, isAlive)) continue;
    refuseOther(declared, row, run.runId);
  }
  if (lease !== undefined) yield* runAll(declareLimits(lease, declared));
}

function* queuesOf(
  runId: string,
  { nowMs, isAlive }: { nowMs: number; isAlive: IsAlive },
): Work<LimitQueue[]> {
  const stored = yield* read(allWaiters);
  const waiting = stored.filter(({ row, run }) => holds(row, run, isAlive));
  const names = [
    ...new Set(waiting.filter(({ run }) => run.runId === runId).flatMap(({ row }) => row.limits)),
  ];
  if (names.length === 0) return [];
  const allSlots = yield* read(slotsOf(names));
  const slots = allSlots.filter(({ row, run }) => row.isFree || holds(row, run, isAlive));
  const declarations = yield* read(declarationsOf(names));
  const declared = new Map(
    declarations.flatMap(({ row, run }) => (run.runId === runId ? [[row.name, row]] : [])),
  );
  const useOf = (name: string): LimitUse => {
    const { concurrency = null, perMinute = null } = declared.get(name) ?? {};
    const ofName = slots.filter(({ row }) => row.limitName === name);
    return {
      name,
      concurrency,
      perMinute,
      holders: ofName.flatMap(({ row, run }) =>
        row.isFree
          ? []
          : [{ runId: run.runId, nodeId: row.nodeId, iteration: row.iteration, sinceMs: row.takenAtMs }],
      ),
      opensAtMs: opensAt(
        ofName.map(({ row }) => row),
        perMinute,
        nowMs,
      ),
    };
  };
  return waiting.flatMap(({ row, run }, at) => {
    if (run.runId !== runId) return [];
    const rivals = waiting
      .slice(0, at)
      .filter((other) => other.row.limits.some((name) => row.limits.includes(name)));
    const ahead = new Set(rivals.map((rival) => rival.run.runId));
    ahead.delete(runId);
    const { limits, nodes, sinceMs } = row;
    return [{ limits, nodes, sinceMs, ahead: ahead.size, use: limits.map(useOf) }];
  });
}

function* take(request: SlotRequest): Work<SlotAnswer> {
  const { nowMs, most } = request;
  const writes: Statement[] = [];
  const order = yield* placesOf(request, writes);
  const names = [...new Set(order.flatMap(({ row }) => row.limits))];
  const limits = yield* definitionsOf(request, names, order);
  const slots = yield* countingSlots(names, request, writes);
  const free = new Map(names.map((name) => [name, freeOf(limits.get(name), slots.get(name) ?? [], nowMs)]));
  const contenders = order.map(({ row }) => ({ limits: row.limits, wanted: row.nodes.length }));
  const granted: SlotGrant[] = [];
  let last = order.reduce((max, { row }) => Math.max(max, row.place), 0);
  for (const at of shareSlots(contenders, free)) {
    const place = order[at] as Place;
    if (place.own === null || granted.length === most) continue;
    const [node, ...rest] = place.row.nodes as [WaiterRow["nodes"][number], ...WaiterRow["nodes"]];
    last += 1;
    place.row = { ...place.row, nodes: rest, place: last };
    granted.push({ ...node, runId: place.runId, limits: place.row.limits });
    for (const limitName of place.row.limits) {
      const isCounted = limits.get(limitName)?.perMinute !== undefined;
      const slot = {
        ...node,
        limitName,
        epoch: place.row.epoch,
        takenAtMs: nowMs,
        isCounted,
        isFree: false,
      };
      writes.push(insertSlot(place.runNo, slot));
      slots.set(limitName, [...(slots.get(limitName) ?? []), { id: 0, ...slot }]);
    }
  }
  let retryAtMs: number | null = null;
  for (const place of order) {
    if (place.own === null) continue;
    keep(place, writes);
    if (place.row.nodes.length === 0) continue;
    for (const name of place.row.limits) {
      const atMs = opensAt(slots.get(name) ?? [], limits.get(name)?.perMinute ?? null, nowMs);
      if (atMs !== null) retryAtMs = Math.min(retryAtMs ?? atMs, atMs);
    }
  }
  if (writes.length > 0) yield* runAll(writes);
  return { granted, retryAtMs };
}

/** Everybody who waits, this process's runs as they wait by now. */
function* placesOf({ runs, isAlive, nowMs }: SlotRequest, writes: Statement[]): Work<Place[]> {
  const stored = yield* read(allWaiters);
  const owned = new Map(runs.map((run) => [run.lease.runId, run]));
  const places: Place[] = [];
  let last = stored.at(-1)?.row.place ?? 0;
  for (const { row, run } of stored) {
    if (owned.has(run.runId)) continue;
    if (holds(row, run, isAlive)) places.push({ ...run, own: null, stored: row, row });
    else writes.push(deleteWaiter(run.runNo, row.limits));
  }
  for (const head of yield* read(leasesOf([...owned.keys()]))) {
    const run = owned.get(head.runId);
    const before = stored.filter((other) => other.run.runId === head.runId).map(({ row }) => row);
    const isHeld = run?.lease.ownerId === head.ownerId && run.lease.epoch === head.epoch;
    const acquires = isHeld ? run.acquires : [];
    for (const row of before) {
      if (!acquires.some((acquire) => isSameLimits(acquire.limits, row.limits)))
        writes.push(deleteWaiter(head.runNo, row.limits));
    }
    for (const { limits, nodes } of acquires) {
      const known =
        before.find((row) => isSameLimits(row.limits, limits) && row.epoch === head.epoch) ?? null;
      if (known === null) last += 1;
      const { place, sinceMs } = known ?? { place: last, sinceMs: nowMs };
      const list = nodes.map(({ nodeId, iteration }) => ({ nodeId, iteration }));
      const row = { limits: [...limits], epoch: head.epoch, nodes: list, place, sinceMs };
      places.push({ ...head, own: { nodes: list, declared: run?.declared ?? {} }, stored: known, row });
    }
  }
  return places.sort((a, b) => a.row.place - b.row.place || a.runNo - b.runNo);
}

/** Definitions of the limits: as this process's runs say, and for those of others as theirs do. */
function* definitionsOf(
  { runs }: SlotRequest,
  names: readonly string[],
  order: readonly Place[],
): Work<ReadonlyMap<string, NamedLimit>> {
  const limits = new Map<string, NamedLimit>();
  for (const { declared } of runs)
    for (const [name, limit] of Object.entries(declared)) limits.set(name, limit);
  const strange = names.filter((name) => !limits.has(name));
  if (strange.length === 0) return limits;
  const waiting = new Set(order.map(({ runNo }) => runNo));
  for (const { row, run } of yield* read(declarationsOf(strange))) {
    if (waiting.has(run.runNo)) limits.set(row.name, toLimit(row));
  }
  return limits;
}

/** The slots that count, by limit; those that do not any more are cleared away. */
function* countingSlots(
  names: readonly string[],
  { nowMs, isAlive }: SlotRequest,
  writes: Statement[],
): Work<Map<string, SlotRow[]>> {
  const slots = new Map<string, SlotRow[]>();
  for (const { row: stored, run } of yield* read(slotsOf(names))) {
    const row = { ...stored, takenAtMs: Math.min(stored.takenAtMs, nowMs) };
    row.isFree ||= !holds(row, run, isAlive);
    const isOver = row.isFree && (!row.isCounted || row.takenAtMs <= nowMs - WINDOW_MS);
    if (isOver) writes.push(deleteSlot(row.id));
    else {
      slots.set(row.limitName, [...(slots.get(row.limitName) ?? []), row]);
      if (row.takenAtMs !== stored.takenAtMs) writes.push(restampSlot(row.id, nowMs));
    }
  }
  return slots;
}

/** The run is still as it was when the row was written, and a process drives it. */
function holds({ epoch }: { epoch: number }, run: OfRun<unknown>["run"], isAlive: IsAlive): boolean {
  const { ownerId, heartbeatAtMs } = run;
  return ownerId !== null && run.epoch === epoch && isAlive({ ownerId, heartbeatAtMs });
}

function freeOf(limit: NamedLimit | undefined, slots: readonly SlotRow[], nowMs: number): number {
  if (limit === undefined) return 0;
  const { concurrency = Number.POSITIVE_INFINITY, perMinute = Number.POSITIVE_INFINITY } = limit;
  const held = slots.filter(({ isFree }) => !isFree).length;
  return Math.min(concurrency - held, perMinute - started(slots, nowMs).length);
}

/** Those in the window, oldest first. */
function started(slots: readonly SlotRow[], nowMs: number): number[] {
  const times = slots.filter(({ isCounted }) => isCounted).map(({ takenAtMs }) => takenAtMs);
  return times.filter((atMs) => atMs > nowMs - WINDOW_MS).sort((a, b) => a - b);
}

/** When a full window has room again, epoch ms; null when it has. */
function opensAt(slots: readonly SlotRow[], perMinute: number | null, nowMs: number): number | null {
  if (perMinute === null) return null;
  const times = started(slots, nowMs);
  const leaving = times[times.length - perMinute];
  return leaving === undefined ? null : leaving + WINDOW_MS;
}

/** Writes what has changed about one's own place. */
function keep({ runNo, row, stored }: Place, writes: Statement[]): void {
  if (row.nodes.length === 0) {
    if (stored !== null) writes.push(deleteWaiter(runNo, row.limits));
    return;
  }
  const isKept = stored !== null && JSON.stringify(stored) === JSON.stringify(row);
  if (!isKept) writes.push(upsertWaiter(runNo, row));
}

function refuseOther(declared: NamedLimits, row: { name: string } & Rates, runId: string): void {
  const own = declared[row.name] ?? {};
  const [concurrency, perMinute] = [own.concurrency ?? null, own.perMinute ?? null];
  if (row.concurrency === concurrency && row.perMinute === perMinute) return;
  throw new ServiceError(
    "LIMIT_CONFLICT",
    `The limit "${row.name}" is declared as ${rates({ concurrency, perMinute })} here, and as ${rates(row)} by run ${runId}, which is being driven.`,
    {
      details: { limit: row.name, declared: toLimit({ concurrency, perMinute }), other: toLimit(row), runId },
    },
  );
}

interface Rates {
  concurrency: number | null;
  perMinute: number | null;
}

function toLimit({ concurrency, perMinute }: Rates): NamedLimit {
  return { ...(concurrency !== null && { concurrency }), ...(perMinute !== null && { perMinute }) };
}

function rates({ concurrency, perMinute }: Rates): string {
  const parts = [
    ...(concurrency === null ? [] : [`${concurrency} at once`]),
    ...(perMinute === null ? [] : [`${perMinute} a minute`]),
  ];
  return parts.join(" and ");
}
