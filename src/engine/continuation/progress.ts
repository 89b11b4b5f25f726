import type { ApprovalRow } from "../../model/approval.js";
import {
  controlId,
  isLaterRound,
  type LoopRound,
  roundsIn,
  shapeOf,
  type TaskKey,
  taskKey,
  writtenId,
} from "../../model/address.js";
import { isTerminalNode, type NodeRow } from "../../model/node.js";
import type { ControlState, LoopState } from "../../model/plan.js";
import type { ContinuationRequest, SchedulerView } from "../../scheduler/index.js";

/** How far a run has come, as the run that continues it takes it over. */
export interface Progress {
  /** In order of completion. */
  readonly nodes: readonly NodeRow[];
  readonly controls: readonly ControlState[];
  /** Denials that keep what comes after them from running. */
  readonly approvals: readonly ApprovalRow[];
  /** Subflows whose child runs have begun and not ended. */
  readonly subflows: readonly NodeRow[];
  /** Fire times of timers that are running, epoch ms. */
  readonly timers: Readonly<Record<TaskKey, number>>;
}

type View = Pick<SchedulerView, "nodes" | "controls" | "approvals">;

/** An iteration of a loop. */
interface Round {
  loopId: string;
  iteration: number;
}

/**
 * The progress that the next run of a chain takes over. It does not grow with the number of runs:
 *
 * P1  Where the run stands comes along whole: every node that has ended outside of
 *     loops, in loops that are done, and in the present iteration of the others.
 * P2  Of iterations that are over, and of the loop that continues, each node's latest
 *     row comes along, for `ctx.latest`.
 * P3  Inline subflows keep their scopes of ids, mounted or not.
 * P4  What has not ended begins anew; timers keep their fire times, subflows their child
 *     runs, and what is to be tried again its failures and the time before which it must not.
 */
export function progressOf(state: View, { loopId, iteration }: ContinuationRequest): Progress {
  const rows = [...state.nodes.values()].map(({ row }) => row);
  const begun = rows.filter(hasChildRun);
  if (loopId === null) {
    const subflows = begun.filter((row) => row.loopId === null);
    const inlines = [...state.controls.values()].filter(({ kind }) => kind === "inline");
    return { nodes: [], controls: inlines, approvals: [], subflows, timers: timersOutside(rows) };
  }
  const continues: LoopState = { kind: "loop", id: loopId, iteration, done: false, exhausted: false };
  const controls = new Map<string, ControlState>(state.controls).set(loopId, continues);
  const isPresent = (rounds: readonly Round[]) =>
    rounds.every((round) => {
      const loop = controls.get(round.loopId);
      return loop?.kind === "loop" && (loop.done || loop.iteration === round.iteration);
    });
  const latest = new Set(latestRows(rows));
  const nodes = rows.filter((row) => latest.has(row) || (hasCome(row) && isPresent(roundsOf(row))));
  const newest = newestLoops(controls.values());
  return {
    nodes: inOrder(nodes),
    controls: [...controls.values()].filter(
      (control) => control.kind === "inline" || newest.has(control) || isPresent(roundsAround(control.id)),
    ),
    approvals: nodes.flatMap((row) => denialOf(state, row) ?? []),
    subflows: begun.filter((row) => isPresent(roundsOf(row))),
    timers: timersInside(rows, { continues, isPresent }),
  };
}

function hasChildRun({ kind, state, lastAttempt }: NodeRow): boolean {
  return kind === "subflow" && lastAttempt > 0 && !isTerminalNode(state);
}

function hasCome({ state, failures }: NodeRow): boolean {
  return isTerminalNode(state) || state === "waiting-quota" || (state === "pending" && failures > 0);
}

/** The rows of one node in all rounds of its loops count as one. */
function latestRows(rows: readonly NodeRow[]): Iterable<NodeRow> {
  const latest = new Map<string, NodeRow>();
  for (const row of rows) {
    if (row.state !== "finished" || row.loopId === null) continue;
    const shape = `${shapeOf(row.nodeId)} in ${shapeOf(row.loopId)}`;
    const known = latest.get(shape);
    if (known === undefined || isLaterRound(addressOf(row), addressOf(known))) latest.set(shape, row);
  }
  return latest.values();
}

function addressOf({ nodeId, loopId, iteration }: NodeRow): string {
  return controlId(nodeId, [{ id: writtenId(loopId as string), iteration }]);
}

/** Of loops inside others, which begin anew each time, the newest: `ctx.iterations` knows them by it. */
function newestLoops(controls: Iterable<ControlState>): ReadonlySet<ControlState> {
  const newest = new Map<string, ControlState>();
  for (const control of controls) {
    if (control.kind !== "loop") continue;
    const shape = shapeOf(control.id);
    const known = newest.get(shape);
    if (known === undefined || isLaterRound(control.id, known.id)) newest.set(shape, control);
  }
  return new Set(newest.values());
}

/** The loops around a node, outermost first. */
function roundsOf({ loopId, iteration }: NodeRow): Round[] {
  return loopId === null ? [] : [...roundsAround(loopId), { loopId, iteration }];
}

/** The loops around a loop, saga or try block. */
function roundsAround(address: string): Round[] {
  const around: LoopRound[] = roundsIn(address);
  return around.map(({ id, iteration }, depth) => ({
    loopId: controlId(id, around.slice(0, depth)),
    iteration,
  }));
}

/** Rows are listed in order of completion, those that come along before those of the new run. */
function inOrder(rows: readonly NodeRow[]): NodeRow[] {
  const never = Number.POSITIVE_INFINITY;
  const sorted = rows.toSorted((a, b) => (a.finishedSeq ?? never) - (b.finishedSeq ?? never));
  return sorted.map((row, index) => ({
    ...row,
    finishedSeq: row.finishedSeq === null ? null : index - sorted.length,
  }));
}

function denialOf({ approvals }: View, row: NodeRow): ApprovalRow | undefined {
  if (row.state !== "skipped") return undefined;
  const request = approvals.get(taskKey(row));
  return request?.status === "denied" ? request : undefined;
}

function timersOutside(rows: readonly NodeRow[]): Record<TaskKey, number> {
  return timersOf(rows, (row) => (row.loopId === null ? row.iteration : undefined));
}

/** A timer of the iteration that is left is one of the iteration that the loop continues with. */
function timersInside(
  rows: readonly NodeRow[],
  { continues, isPresent }: { continues: LoopState; isPresent: (rounds: readonly Round[]) => boolean },
): Record<TaskKey, number> {
  return timersOf(rows, (row) => {
    if (row.loopId === continues.id) return continues.iteration;
    return isPresent(roundsOf(row)) ? row.iteration : undefined;
  });
}

/** @param nextOf the iteration of the node in the next run; undefined where there is none */
function timersOf(
  rows: readonly NodeRow[],
  nextOf: (row: NodeRow) => number | undefined,
): Record<TaskKey, number> {
  const timers: Record<TaskKey, number> = {};
  for (const row of rows) {
    const iteration = row.state === "waiting-timer" && row.kind === "timer" ? nextOf(row) : undefined;
    if (iteration !== undefined && row.dueAtMs !== null)
      timers[taskKey({ nodeId: row.nodeId, iteration })] = row.dueAtMs;
  }
  return timers;
}
