import type { RunEvent, StoredEvent } from "../../src/model/events.js";
import type { SqliteStore } from "../../src/store/sqlite/store.js";
import { baseId } from "./operator.js";
import { rowsOf } from "./outcome.js";
import { everyPlan, type Plan } from "./plan.js";

interface NodeHistory {
  started: number[];
  ended: Set<number>;
  finishes: number;
  /** Sequence number of the last event that ended it. */
  terminalAt: number | null;
}

/** What every event log must satisfy, whatever happened to the processes that wrote it. */
export function brokenInvariants(store: SqliteStore, runId: string, plans: readonly Plan[]): string[] {
  const log = store.listEvents(runId, { limit: 1_000_000 });
  const broken: string[] = [];
  log.forEach(({ seq }, at) => {
    if (seq !== at) broken.push(`event ${at} has seq ${seq}`);
  });
  const histories = new Map<string, NodeHistory>();
  const before = orderOf(plans);
  for (const stored of log) follow(stored, histories, { before, broken });
  broken.push(...rowsWithoutFinish(store, runId, histories));
  broken.push(...badAttempts(store, runId));
  return broken.map((text) => `run ${runId}: ${text}`);
}

function follow(
  { seq, event }: StoredEvent,
  histories: Map<string, NodeHistory>,
  { before, broken }: { before: Map<string, string[]>; broken: string[] },
): void {
  if (!("nodeId" in event && "iteration" in event) || event.nodeId === undefined) return;
  const key = `${event.nodeId}::${event.iteration}`;
  const history = histories.get(key) ?? { started: [], ended: new Set(), finishes: 0, terminalAt: null };
  histories.set(key, history);
  switch (event.type) {
    case "NodeStarted": {
      const last = history.started.at(-1) ?? 0;
      if (event.attempt !== last + 1) broken.push(`${key} started #${event.attempt} after #${last}`);
      if (last > 0 && !history.ended.has(last)) broken.push(`${key} started again while #${last} ran`);
      if (history.finishes > 0) broken.push(`${key} started although it had finished`);
      history.started.push(event.attempt);
      broken.push(...tooEarly(event, histories, before));
      return;
    }
    case "NodeFinished":
      history.finishes += 1;
      if (history.finishes > 1) broken.push(`${key} finished twice`);
      end(event, history, broken);
      history.terminalAt = seq;
      return;
    case "NodeFailed":
      // Denied or timed-out waits fail without an attempt of their own.
      history.ended.add(event.attempt);
      history.terminalAt = seq;
      return;
    case "NodeRetrying":
      history.terminalAt = null;
      return;
    case "NodeInterrupted":
      end(event, history, broken);
      return;
    case "NodeCancelled":
    case "NodeSkipped":
      if (history.started.length > 0) history.ended.add(history.started.at(-1) as number);
      history.terminalAt = seq;
      return;
    default:
      return;
  }
}

function end(
  event: { nodeId: string; iteration: number; attempt: number; type: string },
  history: NodeHistory,
  broken: string[],
): void {
  const key = `${event.nodeId}::${event.iteration}`;
  const starts = history.started.filter((attempt) => attempt === event.attempt).length;
  if (starts !== 1) broken.push(`${event.type} of ${key} #${event.attempt} has ${starts} starts`);
  if (history.ended.has(event.attempt)) broken.push(`${key} #${event.attempt} ended twice`);
  history.ended.add(event.attempt);
}

/** Ids that must have ended before an id starts. */
function orderOf(plans: readonly Plan[]): Map<string, string[]> {
  const before = new Map<string, string[]>();
  const add = (id: string, others: readonly string[]) =>
    before.set(id, [...(before.get(id) ?? []), ...others]);
  const chain = (list: readonly Plan[]) => {
    list.forEach((plan, at) => {
      const previous = list[at - 1];
      if (plan.kind === "task" && previous?.kind === "task") add(plan.id, [previous.id]);
    });
  };
  chain(plans);
  for (const plan of everyPlan(plans)) {
    if (plan.kind === "task") add(plan.id, [...plan.dependsOn, ...plan.reads, ...plan.needs]);
    if (plan.kind === "sequence" || plan.kind === "subflow") chain(plan.children);
    if (plan.kind === "loop") chain(plan.body);
    if (plan.kind === "try") for (const list of [plan.body, plan.recovery, plan.final]) chain(list);
  }
  return before;
}

function tooEarly(
  event: Extract<RunEvent, { type: "NodeStarted" }>,
  histories: ReadonlyMap<string, NodeHistory>,
  before: ReadonlyMap<string, string[]>,
): string[] {
  const suffix = event.nodeId.slice(baseId(event.nodeId).length);
  return (before.get(baseId(event.nodeId)) ?? []).flatMap((id) => {
    const other = histories.get(`${id}${suffix}::${event.iteration}`) ?? histories.get(`${id}::0`);
    const isOpen = other !== undefined && other.terminalAt === null;
    return isOpen ? [`${event.nodeId}::${event.iteration} started before ${id} had ended`] : [];
  });
}

function rowsWithoutFinish(
  store: SqliteStore,
  runId: string,
  histories: ReadonlyMap<string, NodeHistory>,
): string[] {
  const rows = rowsOf(store, runId);
  return store.listNodes(runId).flatMap(({ nodeId, iteration, state }) => {
    const key = `${nodeId}::${iteration}`;
    const isFinished = histories.get(key)?.finishes === 1;
    const hasRow = rows.has(key);
    const broken: string[] = [];
    if (hasRow && !isFinished) broken.push(`${key} has a row and no finish`);
    if ((state === "finished") !== isFinished)
      broken.push(`${key} is ${state}, finished in the log: ${isFinished}`);
    return broken;
  });
}

/** Attempts are numbered without gaps, and only the newest may be anything but closed. */
function badAttempts(store: SqliteStore, runId: string): string[] {
  const numbers = new Map<string, number>();
  return store.listAttempts(runId).flatMap(({ nodeId, iteration, attempt }) => {
    const key = `${nodeId}::${iteration}`;
    const expected = (numbers.get(key) ?? 0) + 1;
    numbers.set(key, attempt);
    return attempt === expected ? [] : [`${key} has attempt ${attempt} where ${expected} belongs`];
  });
}
