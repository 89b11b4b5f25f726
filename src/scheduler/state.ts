import { isLaterRound, isNested, type TaskKey, taskKey, writtenId } from "../model/address.js";
import type { SerializedError } from "../errors/ensure-error.js";
import type { Hold } from "../model/alert.js";
import type { ApprovalRow } from "../model/approval.js";
import type { ApprovalDecision } from "../model/intent.js";
import type { NodeRow } from "../model/node.js";
import { RUN_DEFAULTS } from "../model/run-config.js";
import type { ControlState, ScopeState, StoredControl } from "../model/plan.js";
import type { TaskDescriptor } from "../model/task.js";
import { Heap } from "../util/heap.js";
import type { Graph } from "./graph-types.js";
import type { SignalIntent } from "./intents.js";
import { IdleNodes, type IdleKind } from "./idle-nodes.js";
import type { Slot } from "./slot.js";

/**
 * Everything the scheduler knows of one run.
 *
 * Changed by `step` alone, in place; everybody else reads a SchedulerView of it.
 * When a commit fails the session throws the whole state away.
 */
export interface SchedulerState {
  readonly maxConcurrency: number;
  /** Attempts in a row that may die with their process before the node fails; 0 = any number. */
  readonly maxInterruptions: number;
  /** The host has a cap on tasks: all that do work ask for a slot. */
  readonly everyTaskAsks: boolean;
  /** Time of the newest step, epoch ms. */
  now: number;
  /** Every node that was ever mounted, by key. */
  readonly nodes: Map<TaskKey, NodeRecord>;
  readonly idle: IdleNodes;
  /** Nodes that have finished so far: the place of the next in the order of completion. */
  finished: number;
  /** Highest known iteration of each node id. */
  readonly latest: Map<string, TaskKey>;
  /** Newest known node inside nested loops, by the id its author wrote. */
  readonly newestNested: Map<string, string>;
  readonly controls: Map<string, ControlState>;
  readonly approvals: Map<TaskKey, ApprovalRow>;
  /** Signals that are not consumed yet, oldest first. */
  signals: SignalIntent[];
  /** Keys of nodes that have waited for an event, by its name. Those that do not any more are dropped when they come up. */
  readonly eventWaiters: Map<string, Set<TaskKey>>;
  /** Signals whose waiter does not need them after all; offered to the next one at the end of the step. */
  returned: SignalIntent[];
  graph: Graph;
  /** Keys of attempts in progress. */
  readonly running: Set<TaskKey>;
  /** Keys of queued tasks that have asked for a slot, by its limits; some may not need it any more. */
  readonly asking: Map<string, Set<TaskKey>>;
  /** Keys of tasks that hold a slot and have not started. */
  readonly granted: Set<TaskKey>;
  readonly deadlines: Heap<Deadline>;
  /** The first unhandled failure: starts stop, attempts in progress may finish. */
  failure: RunFailure | null;
  cancelling: Cancellation | null;
  /** While one is open nothing new starts and the run does not finish. By id. */
  readonly holds: Map<string, Hold>;
  /** The process is about to stop driving: nothing new starts. */
  stopping: boolean;
  /** A frame must be rendered before anything else is decided. */
  wantsFrame: FrameRequest | null;
  /** Vertices of tasks that ended and whose successors wait for the frame that shows it. */
  toOpen: number[];
  /** A frame is being taken over: loops at their boundary are decided by it. */
  adopting: boolean;
  /** Ids of the scopes that are in their recovery. */
  readonly recovering: Set<string>;
  /** Ids of the sagas that may have to undo something. */
  readonly owing: Set<string>;
  /** The next frame is compiled even if its structure is the same. */
  recompile: boolean;
  /** A real render has confirmed the current quiet state. */
  isConfirmed: boolean;
  /** Loops that stopped at their limit. */
  readonly exhausted: Set<string>;
  /** By the id of loops: iterations in a row of which every task was skipped. */
  readonly skippedRounds: Map<string, number>;
  /** By the id of loops: how often the iteration has continued with tasks of new ids. */
  readonly rounds: Map<string, { iteration: number; count: number }>;
  /** Set when the plan reached a continue-as-new. */
  continuation: ContinuationRequest | null;
  /** Runs whose initial loop iterations differ from 0. */
  readonly initialIteration: number;
  readonly initialIterations: Readonly<Record<string, number>>;
  /** Fire times fixed by an earlier run of a continue-as-new chain, epoch ms. */
  readonly initialTimers: Readonly<Record<TaskKey, number>>;
}

export interface NodeRecord {
  readonly key: TaskKey;
  /** As persisted. Changed in place; each change is announced by a `node` command. */
  readonly row: NodeRow;
  /** The current frame's declaration; null while unmounted. */
  task: TaskDescriptor | null;
  /** Vertex in the graph; -1 while unmounted. */
  vertex: number;
  attempt: OpenAttempt | null;
  /** In a ready queue. */
  queued: boolean;
  slot: Slot | null;
  /** Its last attempt continued to another agent of the chain, whose limit it had no slot of. */
  passedOn: PassedOn | null;
  /** Since when it could have started, epoch ms; null before that and from its start on. */
  readyAtMs: number | null;
  /** Skipped because of a denial; what depends on it is skipped as well. Null = not looked at yet. */
  denied: boolean | null;
  /** The answer that ended a wait; the attempt that follows turns it into the row. */
  resolution: WaitResolution | null;
  /** Time of its newest entry in `deadlines` of kind `due`, epoch ms. */
  armedAtMs: number | null;
}

export interface PassedOn {
  /** The agent's place in the chain. */
  readonly agentAt: number;
  /** Earliest reset of the agents before it that are out of quota, epoch ms; null when none is. */
  readonly quotaResetAtMs: number | null;
}

export interface OpenAttempt {
  readonly no: number;
  startedAtMs: number;
  /** How long it could have started and had to wait for a slot, milliseconds. */
  readonly waitedMs: number;
  heartbeatAtMs: number;
  /** Limits it was started with, milliseconds: they hold after the task has left the tree, too. */
  readonly timeoutMs: number | null;
  readonly heartbeatTimeoutMs: number | null;
  /** The scheduler asked for an abort; a late result is dropped unless it arrived first. */
  aborting: SerializedError | null;
  /** Aborted because the task left the tree: the attempt does not count. */
  calledOff: boolean;
  /** Its child run has ended in another process. */
  woken: boolean;
}

export type WaitResolution =
  | { kind: "signal"; signal: SignalIntent }
  | { kind: "timed-out" }
  | { kind: "decision"; decision: ApprovalDecision; decidedAtMs: number }
  | { kind: "timer"; firesAtMs: number };

export interface Deadline {
  atMs: number;
  key: TaskKey;
  kind: "due" | "timeout" | "heartbeat";
  /** Attempt number for attempt deadlines; 0 otherwise. */
  attempt: number;
  /** Vertex of the task when it was set: of equal times the first in the document comes first. */
  order: number;
}

export interface RunFailure {
  key: TaskKey | null;
  error: SerializedError;
}

export interface Cancellation {
  reason?: string;
  requestedBy?: string;
}

export interface ContinuationRequest {
  state: unknown;
  /** No state was given: the new run has that of this one. */
  keepsState?: true;
  /** The loop that continues in the new run; null = everything begins anew. */
  loopId: string | null;
  /** The iteration that it continues with; 0 without a loop. */
  iteration: number;
  /** The loop has a `maxIterations`: it comes to an end also where nothing in it runs. */
  isBounded?: true;
}

export interface FrameRequest {
  reason: "mount" | "output" | "control" | "settle" | "reload";
  /** A frame whose reads did not change may not stand in for this one. */
  force: boolean;
  nodeId?: string;
  iteration?: number;
}

export interface StateSeed {
  maxConcurrency: number;
  /** @default 10 */
  maxInterruptions?: number;
  /** @default false */
  everyTaskAsks?: boolean;
  nodes?: readonly NodeRow[];
  controls?: readonly StoredControl[];
  approvals?: readonly ApprovalRow[];
  signals?: readonly SignalIntent[];
  initialIteration?: number;
  initialIterations?: Record<string, number>;
  initialTimers?: Record<TaskKey, number>;
}

export const emptyGraph: Graph = {
  vertices: [],
  root: -1,
  caps: [],
  loops: [],
  loopsAtEnd: new Set(),
  scopes: [],
  regions: [],
  missing: new Map(),
  ready: new Heap<number>(() => false),
  limited: new Map(),
  continues: new Map(),
  plan: null,
  structureVersion: -1,
  hasQuestions: false,
};

/** A total order, so that what fires first does not depend on what else the heap has held. */
function comesFirst(a: Deadline, b: Deadline): boolean {
  if (a.atMs !== b.atMs) return a.atMs < b.atMs;
  if (a.order !== b.order) return a.order < b.order;
  return a.kind < b.kind;
}

export function createState(seed: StateSeed): SchedulerState {
  const state: SchedulerState = {
    maxConcurrency: seed.maxConcurrency,
    maxInterruptions: seed.maxInterruptions ?? RUN_DEFAULTS.maxInterruptions,
    everyTaskAsks: seed.everyTaskAsks ?? false,
    now: 0,
    nodes: new Map(),
    idle: new IdleNodes(),
    finished: 0,
    latest: new Map(),
    newestNested: new Map(),
    controls: new Map(),
    approvals: new Map((seed.approvals ?? []).map((row) => [taskKey(row), row])),
    signals: [...(seed.signals ?? [])],
    eventWaiters: new Map(),
    returned: [],
    graph: emptyGraph,
    running: new Set(),
    asking: new Map(),
    granted: new Set(),
    deadlines: new Heap<Deadline>(comesFirst),
    failure: null,
    cancelling: null,
    holds: new Map(),
    stopping: false,
    wantsFrame: { reason: "mount", force: true },
    toOpen: [],
    adopting: false,
    recovering: new Set(),
    owing: new Set(),
    recompile: false,
    isConfirmed: false,
    exhausted: new Set(),
    skippedRounds: new Map(),
    rounds: new Map(),
    continuation: null,
    initialIteration: seed.initialIteration ?? 0,
    initialIterations: seed.initialIterations ?? {},
    initialTimers: seed.initialTimers ?? {},
  };
  for (const row of seed.nodes ?? []) addNode(state, row);
  for (const control of seed.controls ?? []) addControl(state, control);
  return state;
}

/** The newest progress of a loop or block. */
export function keepControl(state: SchedulerState, control: ControlState): void {
  state.controls.set(control.id, control);
  if (control.kind !== "scope") return;
  if (isOwing(control)) state.owing.add(control.id);
  else state.owing.delete(control.id);
}

/** Whether the saga still may have to undo something. */
function isOwing({ phase, owes = [] }: ScopeState): boolean {
  return (phase === "body" || phase === "recover") && owes.length > 0;
}

function addControl(state: SchedulerState, control: StoredControl): void {
  switch (control.kind) {
    case "loop":
      if (control.exhausted) state.exhausted.add(control.id);
      return keepControl(state, control);
    case "scope":
      if (control.phase === "recover") state.recovering.add(control.id);
      return keepControl(state, control);
    case "inline":
      return keepControl(state, control);
    case "hold":
      if (control.isOpen) state.holds.set(control.id, control);
      return;
    case "alert":
    case "prompt":
      // Which rules have fired, and which prompts were edited, is the engine's to know.
      return;
    default:
      control satisfies never;
  }
}

export function addNode(state: SchedulerState, row: NodeRow): NodeRecord {
  const key = taskKey(row);
  const record: NodeRecord = {
    key,
    row,
    task: null,
    vertex: -1,
    attempt: null,
    queued: false,
    slot: null,
    passedOn: null,
    readyAtMs: null,
    denied: null,
    resolution: null,
    armedAtMs: null,
  };
  state.nodes.set(key, record);
  state.finished = Math.max(state.finished, (row.finishedSeq ?? -1) + 1);
  state.idle.note(key, row);
  const latest = state.latest.get(row.nodeId);
  if (latest === undefined || (state.nodes.get(latest) as NodeRecord).row.iteration < row.iteration) {
    state.latest.set(row.nodeId, key);
  }
  noteNested(state, row.nodeId);
  return record;
}

function noteNested({ newestNested }: SchedulerState, nodeId: string): void {
  if (!isNested(nodeId)) return;
  const written = writtenId(nodeId);
  const known = newestNested.get(written);
  if (known === undefined || isLaterRound(nodeId, known)) newestNested.set(written, nodeId);
}

/** Running attempts may end; nothing new begins and no further frame decides anything. */
export function isEnding({ failure, cancelling, continuation }: SchedulerState): boolean {
  return failure !== null || cancelling !== null || continuation !== null;
}

/** The nodes that stand still for this reason. */
export function* idleNodes(state: SchedulerState, kind: IdleKind): Generator<NodeRecord> {
  for (const key of state.idle.of(kind, (other) => state.nodes.get(other)?.row)) {
    yield state.nodes.get(key) as NodeRecord;
  }
}
