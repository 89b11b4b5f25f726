import { applyDelta } from "../../graph/frame-delta.js";
import { taskKey, type TaskPlace } from "../../model/address.js";
import type { FrameTask } from "../../model/graph.js";
import { isTerminalNode, type NodeRow } from "../../model/node.js";
import { isTerminal, type RunRow } from "../../model/run.js";
import type { Store } from "../../store/index.js";
import type { AwaitedTask, Blocker, ReachedCap } from "./blocker.js";
import { causeOf } from "./group-blockers.js";
import { reachedTasks } from "./reached-tasks.js";

/** Tasks of each kind that are named at most, in document order: a fan-out can hold back thousands. */
const MOST_NAMED = 100;

/** Tasks that a blocker lists at most. */
const MOST_LISTED = 20;

/** Of these a sentence has the names. */
const MOST_SPOKEN = 5;

/**
 * Tasks whose turn has not come: they depend on others that are not over, or as many as a cap allows are
 * at work. Also in a run that moves.
 */
export async function turnBlockers(
  store: Store,
  run: RunRow,
  { nodes, isHeld }: { nodes: readonly NodeRow[]; isHeld: boolean },
): Promise<Blocker[]> {
  if (isTerminal(run.status) || !nodes.some(({ state }) => state === "pending")) return [];
  const chain = await store.snapshotChain(run.runId, run.frameNo);
  if (chain === undefined) return [];
  const { xml, tasks } = applyDelta(chain);
  const frame = new Standing(tasks, nodes);
  const dependencies: Blocker[] = [];
  const ready: FrameTask[] = [];
  const reached = reachedTasks(xml, (nodeId) => frame.isOver(nodeId));
  for (const task of tasks) {
    const row = frame.rowOf(task);
    if (row?.state !== "pending") continue;
    const waitsFor = frame.awaitedBy(task);
    if (waitsFor.length > 0) dependencies.push(dependencyBlocker(row, waitsFor));
    // A back-off is a blocker of its own.
    else if (row.dueAtMs === null && reached.has(task.nodeId)) ready.push(task);
  }
  const isDriven = run.status === "running" && run.ownerId !== null;
  const caps = isDriven && !isHeld ? concurrencyBlockers(run, ready, frame) : [];
  return [...firstOfEach(dependencies), ...firstOfEach(caps)];
}

/** The state of a frame's tasks by their rows. */
class Standing {
  readonly #rows = new Map<string, NodeRow>();
  readonly #newest = new Map<string, NodeRow>();
  readonly #mounted: ReadonlyMap<string, FrameTask>;
  /** Of the run, of this frame or not. */
  readonly working: readonly NodeRow[];

  constructor(tasks: readonly FrameTask[], nodes: readonly NodeRow[]) {
    this.#mounted = new Map(tasks.map((task) => [task.nodeId, task]));
    for (const row of nodes) {
      this.#rows.set(taskKey(row), row);
      const other = this.#newest.get(row.nodeId);
      if (other === undefined || other.iteration < row.iteration) this.#newest.set(row.nodeId, row);
    }
    this.working = nodes.filter(({ state }) => state === "in-progress");
  }

  rowOf(place: TaskPlace): NodeRow | undefined {
    return this.#rows.get(taskKey(place));
  }

  /** Undefined for what is no task of the frame. */
  isOver(nodeId: string): boolean | undefined {
    const task = this.#mounted.get(nodeId);
    if (task === undefined) return undefined;
    const row = this.rowOf(task);
    return row !== undefined && isTerminalNode(row.state);
  }

  awaitedBy({ dependsOn = [] }: FrameTask): AwaitedTask[] {
    return dependsOn.flatMap((nodeId) => {
      const mounted = this.#mounted.get(nodeId);
      const row = mounted === undefined ? this.#newest.get(nodeId) : this.rowOf(mounted);
      if (row !== undefined && isTerminalNode(row.state)) return [];
      const iteration = row?.iteration ?? mounted?.iteration ?? 0;
      return [{ nodeId, iteration, state: row?.state ?? "unmounted" }];
    });
  }

  /** Tasks at work that count for the cap of a group. */
  workingIn(groupId: string): NodeRow[] {
    return this.working.filter(({ nodeId, iteration }) => {
      const task = this.#mounted.get(nodeId);
      return task?.iteration === iteration && task.caps?.some((cap) => cap.groupId === groupId) === true;
    });
  }
}

/** As many as are named; those besides of a cause that is among them are counted with its first one. */
function firstOfEach(blockers: readonly Blocker[]): Blocker[] {
  const named = blockers.slice(0, MOST_NAMED);
  const firsts = new Map<string, Blocker>();
  for (const blocker of named.toReversed()) firsts.set(causeOf(blocker), blocker);
  for (const blocker of blockers.slice(MOST_NAMED)) {
    const first = firsts.get(causeOf(blocker));
    if (first !== undefined) first.unnamed = (first.unnamed ?? 0) + 1;
  }
  return named;
}

/** The first few names, and how many there are besides. */
function spoken<T>(items: readonly T[], nameOf: (item: T) => string): string {
  const names = items.slice(0, MOST_SPOKEN).map(nameOf);
  if (items.length > names.length) names.push(`${items.length - names.length} more`);
  return names.join(", ");
}

function dependencyBlocker({ nodeId, iteration, updatedAtMs }: NodeRow, waitsFor: AwaitedTask[]): Blocker {
  const names = spoken(waitsFor, (awaited) => `${awaited.nodeId} (${awaited.state})`);
  return {
    kind: "dependency",
    nodeId,
    iteration,
    sinceMs: updatedAtMs,
    waitsFor: waitsFor.slice(0, MOST_LISTED),
    ...(waitsFor.length > MOST_LISTED && { awaited: waitsFor.length }),
    summary: `${nodeId} waits for ${names}.`,
    remedy: null,
  };
}

function concurrencyBlockers(run: RunRow, ready: readonly FrameTask[], frame: Standing): Blocker[] {
  const working = new Map<string, NodeRow[]>();
  const workingIn = (groupId: string) => {
    const known = working.get(groupId) ?? frame.workingIn(groupId);
    working.set(groupId, known);
    return known;
  };
  const reachedCap = ({ caps = [] }: FrameTask): ReachedCap | undefined => {
    const full = caps.find(({ groupId, limit }) => workingIn(groupId).length >= limit);
    if (full !== undefined) return { ...full, holders: workingIn(full.groupId).map(placeOf) };
    const limit = run.config.maxConcurrency;
    if (frame.working.length < limit) return undefined;
    return { groupId: null, limit, holders: frame.working.map(placeOf) };
  };
  const blockers: Blocker[] = [];
  for (const task of ready) {
    const cap = reachedCap(task);
    if (cap === undefined) continue;
    const { nodeId, iteration } = task;
    const where = cap.groupId === null ? "the run" : cap.groupId;
    blockers.push({
      kind: "concurrency",
      nodeId,
      iteration,
      sinceMs: frame.rowOf(task)?.updatedAtMs ?? null,
      cap: { ...cap, holders: cap.holders.slice(0, MOST_LISTED) },
      summary: `${nodeId} could start, but ${where} runs at most ${cap.limit} at a time: ${spoken(cap.holders, (holder) => holder.nodeId)}.`,
      remedy: null,
    });
  }
  return blockers;
}

function placeOf({ nodeId, iteration }: TaskPlace): TaskPlace {
  return { nodeId, iteration };
}
