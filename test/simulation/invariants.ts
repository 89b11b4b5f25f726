import { hasTaskPlace, parseTaskKey, type TaskKey, taskKey, writtenId } from "../../src/model/address.js";
import type { RunEvent, StoredEvent } from "../../src/model/events.js";
import type { SqliteStore } from "../../src/store/sqlite/store.js";
import type { Member } from "./family.js";
import { iterationsOf, type Order } from "./order.js";
import { rowsOf } from "./outcome.js";

interface NodeHistory {
  started: number[];
  ended: Set<number>;
  finishes: number;
  /** Sequence number of the last event that ended it. */
  terminalAt: number | null;
}

interface Logbook {
  readonly order: Order;
  readonly histories: Map<string, NodeHistory>;
  /** The same by the ids of the plan. */
  readonly byId: Map<string, { key: string; iterations: number[]; history: NodeHistory }[]>;
  readonly broken: string[];
  /** The run continues another one. */
  readonly isContinued: boolean;
}

/** What every event log must satisfy, whatever happened to the processes that wrote it. */
export function brokenInvariants(store: SqliteStore, runId: string, order: Order): string[] {
  const log = store.listEvents(runId, { limit: 1_000_000 });
  const broken: string[] = [];
  log.forEach(({ seq }, at) => {
    if (seq !== at) broken.push(`event ${at} has seq ${seq}`);
  });
  const histories = new Map<string, NodeHistory>();
  const isContinued = store.getRun(runId)?.config.continuation !== undefined;
  const logbook: Logbook = { order, histories, byId: new Map(), broken, isContinued };
  for (const stored of log) follow(stored, logbook);
  broken.push(...rowsWithoutFinish(store, runId, histories));
  broken.push(...badAttempts(store, runId, isContinued));
  return broken.map((text) => `run ${runId}: ${text}`);
}

function follow({ seq, event }: StoredEvent, logbook: Logbook): void {
  if (!hasTaskPlace(event)) return;
  const key = taskKey(event);
  const { broken } = logbook;
  const history = logbook.histories.get(key) ?? begin(logbook, key);
  switch (event.type) {
    case "NodeStarted": {
      // Attempts of a node that came along may be in an earlier run.
      const last = history.started.at(-1) ?? (logbook.isContinued ? event.attempt - 1 : 0);
      if (event.attempt !== last + 1) broken.push(`${key} started #${event.attempt} after #${last}`);
      if (history.started.length > 0 && !history.ended.has(last))
        broken.push(`${key} started again while #${last} ran`);
      if (history.finishes > 0) broken.push(`${key} started although it had finished`);
      history.started.push(event.attempt);
      history.terminalAt = null;
      broken.push(...tooEarly(event, logbook));
      return;
    }
    case "NodePending":
      // A block that begins again after a failure: what it had finished is open once more.
      history.finishes = 0;
      return;
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

function begin({ order, histories, byId }: Logbook, key: TaskKey): NodeHistory {
  const { nodeId, iteration } = parseTaskKey(key);
  const history: NodeHistory = { started: [], ended: new Set(), finishes: 0, terminalAt: null };
  histories.set(key, history);
  const id = writtenId(nodeId);
  const known = byId.get(id) ?? [];
  known.push({ key, iterations: iterationsOf(nodeId, iteration, order.isInLoop(id)), history });
  byId.set(id, known);
  return history;
}

function end(
  event: { nodeId: string; iteration: number; attempt: number; type: string },
  history: NodeHistory,
  broken: string[],
): void {
  const key = taskKey(event);
  const starts = history.started.filter((attempt) => attempt === event.attempt).length;
  if (starts !== 1) broken.push(`${event.type} of ${key} #${event.attempt} has ${starts} starts`);
  if (history.ended.has(event.attempt)) broken.push(`${key} #${event.attempt} ended twice`);
  history.ended.add(event.attempt);
}

function tooEarly(event: Extract<RunEvent, { type: "NodeStarted" }>, { order, byId }: Logbook): string[] {
  const id = writtenId(event.nodeId);
  const mine = iterationsOf(event.nodeId, event.iteration, order.isInLoop(id));
  const early: string[] = [];
  for (const other of order.before(id)) {
    const shared = order.sharedLoops(id, other);
    for (const { key, iterations, history } of byId.get(other) ?? []) {
      const isRelated = iterations.slice(0, shared).every((round, at) => round === mine[at]);
      if (!isRelated || history.terminalAt !== null) continue;
      early.push(`${event.nodeId}::${event.iteration} started before ${key} had ended`);
    }
  }
  return early;
}

function rowsWithoutFinish(
  store: SqliteStore,
  runId: string,
  histories: ReadonlyMap<string, NodeHistory>,
): string[] {
  const rows = rowsOf(store, runId);
  return store.listNodes(runId).flatMap(({ nodeId, iteration, state, finishedSeq }) => {
    const key = taskKey({ nodeId, iteration });
    const isFinished = histories.get(key)?.finishes === 1;
    const hasRow = rows.has(key);
    const broken: string[] = [];
    if (finishedSeq !== null && finishedSeq < 0) {
      // It came along from the run before.
      const started = histories.get(key)?.started.length ?? 0;
      return started === 0 ? [] : [`${key} had finished before the run began, and started again`];
    }
    if (hasRow && !isFinished) broken.push(`${key} has a row and no finish`);
    if ((state === "finished") !== isFinished)
      broken.push(`${key} is ${state}, finished in the log: ${isFinished}`);
    return broken;
  });
}

/** Attempts are numbered without gaps, and only the newest may be anything but closed. Some may be in an earlier run. */
function badAttempts(store: SqliteStore, runId: string, isContinued: boolean): string[] {
  const numbers = new Map<string, number>();
  return store.listAttempts(runId).flatMap(({ nodeId, iteration, attempt }) => {
    const key = taskKey({ nodeId, iteration });
    const expected = (numbers.get(key) ?? (isContinued ? attempt - 1 : 0)) + 1;
    numbers.set(key, attempt);
    return attempt === expected ? [] : [`${key} has attempt ${attempt} where ${expected} belongs`];
  });
}

/**
 * Through a chain of runs each task finishes once: what has finished comes along. A
 * failure may have made a block begin again, which is another matter.
 */
export function finishedAgain(store: SqliteStore, members: readonly Member[]): string[] {
  if (members.some(({ run }) => run.status === "failed")) return [];
  const seen = new Set<string>();
  return members.flatMap(({ run, name }) =>
    store.listEvents(run.runId, { limit: 1_000_000 }).flatMap(({ event }) => {
      if (event.type !== "NodeFinished") return [];
      const address = `${name.replaceAll("+", "")} ${taskKey(event)}`;
      if (!seen.has(address)) {
        seen.add(address);
        return [];
      }
      return [`${address} finished in more than one run of its chain`];
    }),
  );
}
