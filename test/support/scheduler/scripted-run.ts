import { type TaskKey, taskKey } from "../../../src/model/address.js";
import type { EventBody } from "../../../src/model/events.js";
import type { RenderedFrame } from "../../../src/model/graph.js";
import type { NodeState } from "../../../src/model/node.js";
import { partsOfPlan, type PlanNode } from "../../../src/model/plan.js";
import type { TaskDescriptor } from "../../../src/model/task.js";
import type { Command, SchedulerEvent } from "../../../src/scheduler/commands.js";
import { nextDeadline } from "../../../src/scheduler/deadlines.js";
import type { SchedulerIntent } from "../../../src/scheduler/intents.js";
import { progressOf } from "../../../src/engine/continuation/progress.js";
import { type Disposition, disposition } from "../../../src/scheduler/disposition.js";
import {
  type ContinuationRequest,
  createState,
  type SchedulerState,
  type StateSeed,
} from "../../../src/scheduler/state.js";
import { step } from "../../../src/scheduler/step.js";
import { sameData } from "../../../src/util/same-data.js";
import { committed, emptyImage, interruptions, type RunSnapshot, seedOf } from "./run-database.js";
import { SlotLimiter } from "./slot-limiter.js";
import { Place, type PlanOf } from "./place.js";
import { errorOf, type Outcome, outcomeOf, type Script } from "./script.js";

export interface RunSetup {
  plan: PlanOf;
  script?: Script;
  /** Default 100. */
  maxConcurrency?: number;
  /** Continue from what a run left behind. */
  runSnapshot?: RunSnapshot;
  /** Epoch ms at which the process starts. Default 0. */
  now?: number;
  seed?: Partial<StateSeed>;
  /** Every task that works needs one of so many slots, and gets it a millisecond after there is one. @default none needed */
  slots?: number;
  /** Called after every step. */
  onStep?: (run: ScriptedRun, exchange: Exchange) => void;
}

interface Arrival {
  atMs: number;
  key: TaskKey;
  attempt: number;
  outcome: Outcome;
}

/** Everything a turn tells the scheduler, and what it answered. */
export interface Exchange {
  now: number;
  event: SchedulerEvent;
  commands: Command[];
}

type IntentBody = SchedulerIntent extends infer I
  ? I extends SchedulerIntent
    ? Omit<I, "id" | "atMs" | "requestHash"> & { atMs?: number }
    : never
  : never;

const MOST_FRAMES_PER_TURN = 200;

/**
 * A run driven as the engine drives it, with scripted attempts and a time that
 * only moves when nothing else can happen: events in, frames answered, time
 * ticked, facts committed, effects performed.
 */
export class ScriptedRun {
  readonly setup: RunSetup;
  now: number;
  state: SchedulerState;
  /** What has been committed. */
  runSnapshot: RunSnapshot;
  /** The image after each commit, oldest first. */
  readonly images: RunSnapshot[] = [];
  /** When each of them was committed. */
  readonly imageTimes: number[] = [];
  readonly exchanges: Exchange[] = [];
  /** Called after every step. */
  onStep: RunSetup["onStep"];
  frame: RenderedFrame | null = null;
  #pending: Arrival[] = [];
  #outputs: Set<TaskKey>;
  readonly #slots: SlotLimiter | null;
  #turn: { commands: Command[]; outputs: TaskKey[] } = { commands: [], outputs: [] };
  #nextIntent = 1;

  constructor(setup: RunSetup) {
    this.setup = setup;
    this.now = setup.now ?? 0;
    this.onStep = setup.onStep;
    this.runSnapshot = setup.runSnapshot ?? emptyImage();
    this.#outputs = new Set(this.runSnapshot.outputs);
    const { maxConcurrency = 100 } = setup;
    this.#slots = setup.slots === undefined ? null : new SlotLimiter(setup.slots);
    const asks = { everyTaskAsks: this.#slots !== null };
    this.state = createState({ ...seedOf(this.runSnapshot, { maxConcurrency }), ...asks, ...setup.seed });
    for (const { id } of this.runSnapshot.inbox) this.#nextIntent = Math.max(this.#nextIntent, id + 1);
    for (const event of interruptions(this.runSnapshot)) this.#step(event);
    this.endTurn();
    const waiting = this.runSnapshot.inbox.filter((intent) => intent.kind !== "signal");
    if (waiting.length > 0) this.turn(...waiting.map((intent) => ({ type: "intent" as const, intent })));
  }

  get disposition(): Disposition {
    return disposition(this.state);
  }

  /** Plays until the run has ended, waits for an answer, or only hangs. */
  play(): Disposition {
    while (this.disposition.kind === "active" && this.playNext());
    return this.disposition;
  }

  /** As {@link play}, and lets time pass until the waits that end by themselves have ended. */
  playOut(): Disposition {
    for (;;) {
      const stand = this.play();
      if (stand.kind !== "waiting" || !this.playNext()) return stand;
    }
  }

  /** Moves on to the next moment at which something happens. False if there is none. */
  playNext(): boolean {
    const times = this.#pending.map((arrival) => arrival.atMs).filter(Number.isFinite);
    const deadline = nextDeadline(this.state);
    if (deadline !== undefined) times.push(deadline);
    if (this.#slots?.canGive === true) times.push(this.now + 1);
    if (times.length === 0) return false;
    this.now = Math.max(this.now, Math.min(...times));
    const due = this.#pending.filter((arrival) => arrival.atMs <= this.now);
    this.#pending = this.#pending.filter((arrival) => arrival.atMs > this.now);
    for (const arrival of due) this.#settle(arrival);
    for (const { key, limits } of this.#slots?.give() ?? []) this.tell({ type: "slot-granted", key, limits });
    this.endTurn();
    return true;
  }

  /** Lets this much time pass, with everything that happens meanwhile. */
  advance(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const next = Math.min(...this.#pending.map((arrival) => arrival.atMs), nextDeadline(this.state) ?? end);
      if (next > end || !this.playNext() || this.now >= end) break;
    }
    this.now = end;
    this.turn();
  }

  /** One turn of the engine: these events, the frames they ask for, a tick, a commit. */
  turn(...events: SchedulerEvent[]): void {
    for (const event of events) this.tell(event);
    this.endTurn();
  }

  endTurn(): void {
    this.#step({ type: "tick" });
    this.#answerFrames();
    while (this.disposition.kind === "start") {
      this.#step({ type: "start-ready" });
      this.#answerFrames();
    }
    this.runSnapshot = committed(this.runSnapshot, this.state, this.#turn);
    this.images.push(this.runSnapshot);
    this.imageTimes.push(this.now);
    const { commands } = this.#turn;
    this.#turn = { commands: [], outputs: [] };
    for (const command of commands) this.#perform(command);
  }

  tell(event: SchedulerEvent): void {
    this.#step(event);
    this.#answerFrames();
  }

  /** Puts a request into the inbox and delivers it. */
  send(intent: IntentBody): void {
    this.turn({ type: "intent", intent: this.post(intent) });
  }

  /** Puts a request into the inbox only: no process drives the run. */
  post(intent: IntentBody): SchedulerIntent {
    const place = { atMs: this.now, id: this.#nextIntent };
    const numbered = { ...this.#about(intent), ...place, ...intent } as SchedulerIntent;
    this.#nextIntent += 1;
    this.runSnapshot = { ...this.runSnapshot, inbox: [...this.runSnapshot.inbox, numbered] };
    return numbered;
  }

  /** A decision is about what is asked at this moment. */
  #about(intent: IntentBody): { requestHash?: string } {
    if (intent.kind !== "approval") return {};
    const request = this.state.approvals.get(taskKey(intent));
    return { requestHash: request?.requestHash ?? "" };
  }

  decide(nodeId: string, approved: boolean, iteration = 0): void {
    this.send({ kind: "approval", nodeId, iteration, decision: { approved } });
  }

  signal(name: string, data: unknown = null, correlationId?: string): void {
    this.send({ kind: "signal", name, correlationId, data });
  }

  /** The process dies; another one takes over with what had been committed, by default all of it. */
  restart(runSnapshot = this.runSnapshot, changes: Partial<RunSetup> = {}): ScriptedRun {
    return new ScriptedRun({ ...this.setup, now: this.now, ...changes, runSnapshot });
  }

  /** The run that continues with what this one leaves. */
  continued(request: ContinuationRequest): ScriptedRun {
    const { nodes, controls, approvals, timers } = progressOf(this.state, request);
    const runSnapshot: RunSnapshot = {
      ...emptyImage(),
      nodes: Object.fromEntries(nodes.map((row) => [taskKey(row), row])),
      controls: Object.fromEntries(controls.map((control) => [control.id, control])),
      approvals: Object.fromEntries(approvals.map((row) => [taskKey(row), row])),
      inbox: this.runSnapshot.inbox,
    };
    runSnapshot.outputs = nodes.map(taskKey).filter((key) => this.#outputs.has(key));
    return new ScriptedRun({
      ...this.setup,
      now: this.now,
      runSnapshot,
      seed: { ...this.setup.seed, initialTimers: timers },
    });
  }

  stateOf(nodeId: string, iteration = 0): NodeState | undefined {
    return this.runSnapshot.nodes[taskKey({ nodeId, iteration })]?.state;
  }

  get events(): readonly EventBody[] {
    return this.runSnapshot.events;
  }

  /** Keys of started attempts in order. */
  get started(): TaskKey[] {
    return this.#keysOf("NodeStarted");
  }

  get finished(): TaskKey[] {
    return this.#keysOf("NodeFinished");
  }

  #keysOf(type: "NodeStarted" | "NodeFinished"): TaskKey[] {
    return this.events.flatMap((event) => (event.type === type ? [taskKey(event)] : []));
  }

  #settle(arrival: Arrival): void {
    const { key, attempt, outcome } = arrival;
    const current = this.state.nodes.get(key)?.attempt;
    if (outcome.kind === "finish" && current?.no === attempt && current.aborting === null) {
      this.#outputs.add(key);
      this.#turn.outputs.push(key);
    }
    const event = settlement(arrival);
    if (event !== undefined) this.tell(event);
  }

  #step(event: SchedulerEvent): void {
    const commands = step(this.state, event, this.now);
    this.#turn.commands.push(...commands);
    const exchange = { now: this.now, event, commands };
    this.exchanges.push(exchange);
    this.onStep?.(this, exchange);
  }

  #answerFrames(): void {
    for (let frames = 0; ; frames += 1) {
      const stand = this.disposition;
      if (stand.kind !== "render") return;
      if (frames > MOST_FRAMES_PER_TURN) throw new Error("The scheduler asks for one frame after the other.");
      const { request } = stand;
      const frame = this.#render();
      const isSame = frame === this.frame;
      this.frame = frame;
      if (isSame && !request.force) this.#step({ type: "frame-unchanged" });
      else this.#step({ type: "frame", frame, reason: request.reason });
    }
  }

  #render(): RenderedFrame {
    const view = {
      control: (id: string) => this.state.controls.get(id) ?? this.#initialLoop(id),
      has: (nodeId: string, iteration = 0) => this.#outputs.has(taskKey({ nodeId, iteration })),
    };
    const plan = this.setup.plan(new Place(view));
    if (this.frame !== null && sameData(plan, this.frame.plan)) return this.frame;
    const structureVersion = (this.frame?.structureVersion ?? 0) + 1;
    const tasks = tasksOf(plan);
    return { xml: null, tasks, plan, workflowName: "test", cache: false, aspects: {}, structureVersion };
  }

  #initialLoop(id: string) {
    const { initialIterations = {}, initialIteration = 0 } = this.setup.seed ?? {};
    const iteration = initialIterations[id] ?? initialIteration;
    return { kind: "loop" as const, id, iteration, done: false, exhausted: false };
  }

  #perform(command: Command): void {
    this.#slots?.hear(command);
    if (command.type === "start") {
      const { key, attempt } = command;
      // The engine makes the attempt of what is mounted once the turn is committed.
      if (this.state.nodes.get(key)?.task == null) throw new Error(`${key} starts while it is not mounted.`);
      const outcome = outcomeOf(this.setup.script ?? {}, key, attempt);
      const after = outcome.kind === "hang" ? Number.POSITIVE_INFINITY : (outcome.after ?? 1);
      this.#pending.push({ atMs: this.now + after, key, attempt, outcome });
    } else if (command.type === "abort") {
      const arrival = this.#pending.find(
        ({ key, attempt }) => key === command.key && attempt === command.attempt,
      );
      if (arrival === undefined || arrival.outcome.deaf === true) return;
      arrival.outcome = { kind: "fail", error: command.error };
      arrival.atMs = this.now;
    }
  }
}

/** The event for the scheduler when an attempt completes; none for one that hangs. */
function settlement({ key, attempt, outcome }: Arrival): SchedulerEvent | undefined {
  switch (outcome.kind) {
    case "finish":
      return { type: "attempt-finished", key, attempt, cached: outcome.cached ?? false };
    case "fail":
      return { type: "attempt-failed", key, attempt, error: errorOf(outcome) };
    case "quota": {
      const error = { name: "ServiceError", code: "AGENT_QUOTA_EXCEEDED", message: "Out of quota." };
      return { type: "attempt-failed", key, attempt, error, quotaResetAtMs: outcome.resetAtMs };
    }
    case "skip":
      return { type: "attempt-skipped", key, attempt, reason: "it does not apply" };
    case "park":
      return {
        type: "attempt-suspended",
        key,
        attempt,
        status: outcome.status,
        reason: "its child run waits",
      };
    case "hang":
      return undefined;
    default:
      return outcome satisfies never;
  }
}

/** Every task of a plan in document order. */
export function tasksOf(plan: PlanNode): TaskDescriptor[] {
  return plan.kind === "task" ? [plan.task] : partsOfPlan(plan).flatMap(tasksOf);
}
