import { hasTaskPlace, parseTaskKey, type TaskKey, taskKey, writtenId } from "../../../src/model/address.js";
import type { EventBody } from "../../../src/model/events.js";
import { iterationsOf, type Order } from "./order.js";

/** What the log says of one node. */
export interface NodeHistory {
  started: number[];
  ended: Set<number>;
  finishes: number;
  /** Position in the log of the last event that ended it. */
  terminalAt: number | null;
}

interface Logbook {
  readonly order: Order;
  readonly histories: Map<TaskKey, NodeHistory>;
  /** The same by the ids of the plan. */
  readonly byId: Map<string, { key: string; iterations: number[]; history: NodeHistory }[]>;
  readonly broken: string[];
  /** The run continues another one: the attempts of a node that came along may be in an earlier log. */
  readonly isContinued: boolean;
}

/** What every run's events must satisfy, whatever happened to the processes that wrote them. */
export function readLog(events: readonly EventBody[], order: Order, isContinued = false): Reading {
  const histories = new Map<TaskKey, NodeHistory>();
  const logbook: Logbook = { order, histories, byId: new Map(), broken: [], isContinued };
  events.forEach((event, at) => follow(event, at, logbook));
  return logbook;
}

export interface Reading {
  readonly histories: ReadonlyMap<TaskKey, NodeHistory>;
  /** What is wrong, or nothing. */
  readonly broken: readonly string[];
}

function follow(event: EventBody, at: number, logbook: Logbook): void {
  if (!hasTaskPlace(event)) return;
  const key = taskKey(event);
  const { broken } = logbook;
  const history = logbook.histories.get(key) ?? begin(logbook, key);
  switch (event.type) {
    case "NodeStarted": {
      const last = history.started.at(-1) ?? (logbook.isContinued ? event.attempt - 1 : 0);
      if (event.attempt !== last + 1) broken.push(`${key} started #${event.attempt} after #${last}`);
      if (history.started.length > 0 && !history.ended.has(last))
        broken.push(`${key} started again while #${last} ran`);
      if (history.finishes > 0) broken.push(`${key} started although it had finished`);
      history.started.push(event.attempt);
      history.terminalAt = null;
      broken.push(...tooEarly(event, logbook), ...tooMany(event, logbook));
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
      history.terminalAt = at;
      return;
    case "NodeFailed":
      // Denied or timed-out waits fail without an attempt of their own.
      history.ended.add(event.attempt);
      history.terminalAt = at;
      return;
    case "NodeRetrying":
      history.terminalAt = null;
      return;
    case "NodeWaitingQuota":
      endLast(history);
      return;
    case "NodeInterrupted":
      end(event, history, broken);
      return;
    case "NodeCancelled":
    case "NodeSkipped":
      endLast(history);
      history.terminalAt = at;
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

function endLast({ started, ended }: NodeHistory): void {
  const last = started.at(-1);
  if (last !== undefined) ended.add(last);
}

function tooMany({ nodeId }: { nodeId: string }, { order, byId }: Logbook): string[] {
  return order.groupsAround(writtenId(nodeId)).flatMap(({ cap, ids }) => {
    const known = [...ids].flatMap((id) => byId.get(id) ?? []);
    const running = known.filter(({ history }) => history.started.some((no) => !history.ended.has(no)));
    if (running.length <= cap) return [];
    return [`${running.map(({ key }) => key).join(", ")} run in a group of at most ${cap}`];
  });
}

function tooEarly(event: Extract<EventBody, { type: "NodeStarted" }>, { order, byId }: Logbook): string[] {
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

/** How often a node has been pending: after a reset, or when its block begins again, it is so anew. */
export function timesPending(
  events: readonly EventBody[],
  { nodeId, iteration }: { nodeId: string; iteration: number },
): number {
  return events.filter(
    (event) => event.type === "NodePending" && event.nodeId === nodeId && event.iteration === iteration,
  ).length;
}
