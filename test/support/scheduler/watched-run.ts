import { taskKey } from "../../../src/model/address.js";
import type { Disposition } from "../../../src/scheduler/disposition.js";
import { readLog, timesPending } from "../random-workflows/log.js";
import type { Outside } from "../random-workflows/outside.js";
import { OrderOracle, type TaskPlace } from "./order-oracle.js";
import { type Exchange, type RunSetup, ScriptedRun } from "./scripted-run.js";
import type { ScriptedScenario } from "./scripted-scenario.js";
import { emptyImage, type RunSnapshot } from "./run-database.js";

/** Everything an observer found wrong in a run. */
export interface Watch {
  run: ScriptedRun;
  complaints: string[];
  stand: Disposition;
}

export interface WatchOptions {
  maxConcurrency?: number;
  runSnapshot?: RunSnapshot;
  now?: number;
  /** As of RunSetup. Who waits for one is passed by others, so that starts are not checked for their order. */
  slots?: number;
}

/**
 * Plays a scenario to its end, answering approvals whenever nothing else moves,
 * and checks every start against the order oracle and the caps.
 */
export function watch(scenario: ScriptedScenario, options: WatchOptions = {}): Watch {
  const complaints: string[] = [];
  const setup: RunSetup = { plan: scenario.plan, script: scenario.script, ...options };
  const outside = scenario.outside();
  setup.runSnapshot ??= withSignals(outside);
  setup.onStep = (run, exchange) =>
    options.slots === undefined
      ? checkStarts(run, exchange, complaints)
      : checkSlots(run, { most: options.slots, complaints });
  const run = new ScriptedRun(setup);
  for (;;) {
    if (options.slots === undefined) checkIdle(run, complaints);
    const stand = run.disposition;
    const continues =
      stand.kind === "active" ? run.playNext() : stand.kind === "waiting" && answer(run, outside);
    if (!continues) return { run, complaints, stand };
  }
}

function withSignals(outside: Outside): RunSnapshot {
  const inbox = outside.sendEarly().map(({ event: name, correlationId }, index) => ({
    id: index + 1,
    kind: "signal" as const,
    name,
    atMs: 0,
    data: null,
    ...(correlationId !== null && { correlationId }),
  }));
  return { ...emptyImage(), inbox };
}

/** A wait is answered, or time passes. False if nothing can move the run. */
function answer(run: ScriptedRun, outside: Outside): boolean {
  const found = outside.next(Object.values(run.runSnapshot.nodes), ({ nodeId, iteration }) =>
    timesPending(run.events, { nodeId, iteration }),
  );
  if (found === undefined) return run.playNext();
  const { wait, act } = found;
  if ("approves" in act) run.decide(wait.nodeId, act.approves, wait.iteration);
  else run.signal(act.sends.event, null, act.sends.correlationId ?? undefined);
  return true;
}

const WORK: readonly string[] = ["agent", "compute", "static"];

function checkSlots(run: ScriptedRun, { most, complaints }: { most: number; complaints: string[] }): void {
  const working = [...run.state.nodes.values()].filter(
    ({ attempt, row }) => attempt !== null && WORK.includes(row.kind ?? ""),
  );
  if (working.length > most) complaints.push(`${working.length} tasks work at once, with ${most} slots`);
  const without = working.find(({ slot }) => slot?.state !== "held");
  if (without !== undefined) complaints.push(`${without.key} works without a slot`);
}

function checkStarts(run: ScriptedRun, { commands }: Exchange, complaints: string[]): void {
  const started = commands.flatMap((command) => (command.type === "start" ? [command.key] : []));
  if (started.length === 0 || run.frame === null) return;
  const oracle = new OrderOracle(run.frame.plan, run.state);
  for (const key of started) {
    const place = oracle.place(key);
    if (place === undefined) complaints.push(`${key} started without being mounted`);
    else
      for (const obstacle of oracle.obstacles(place))
        complaints.push(`${key} started too early: ${obstacle}`);
  }
  for (const { id, cap } of fullestGroups(oracle, run)) {
    if (runningIn(oracle, run, id) > cap) complaints.push(`group ${id} runs more than ${cap}`);
  }
  const limit = run.setup.maxConcurrency ?? 100;
  if (run.state.running.size > limit) complaints.push(`the run runs more than ${limit}`);
  // A back-off that ends this very moment ends with the tick at the end of the turn.
  for (const place of idleTasks(oracle, run, run.now - 1)) {
    for (const key of started) {
      const other = oracle.place(key);
      if (other !== undefined && other.index > place.index && fitsInsteadOf(oracle, run, { place, other }))
        complaints.push(`${key} started before ${place.task.nodeId}`);
    }
  }
}

/** Once a turn is over, whatever may start and has room has started. */
function checkIdle(run: ScriptedRun, complaints: string[]): void {
  const { state } = run;
  if (run.frame === null || state.failure !== null || state.continuation !== null) return;
  const oracle = new OrderOracle(run.frame.plan, state);
  for (const place of idleTasks(oracle, run, run.now)) {
    if (fitsInsteadOf(oracle, run, { place }))
      complaints.push(`${place.task.nodeId} could run at ${run.now} and does not`);
  }
}

/** Tasks that only lack room: their back-off, if any, was over at `dueBy`. */
function idleTasks(oracle: OrderOracle, run: ScriptedRun, dueBy: number): TaskPlace[] {
  return oracle.tasks.filter((place) => {
    const { task } = place;
    const row = run.state.nodes.get(taskKey(task))?.row;
    if (task.kind !== "compute" || task.needsApproval || row?.state !== "pending") return false;
    return (row.dueAtMs === null || row.dueAtMs <= dueBy) && oracle.obstacles(place).length === 0;
  });
}

function fitsInsteadOf(
  oracle: OrderOracle,
  run: ScriptedRun,
  { place, other }: { place: TaskPlace; other?: TaskPlace },
): boolean {
  const freed = (id: string) => (other?.caps.some((group) => group.id === id) ? 1 : 0);
  const limit = run.setup.maxConcurrency ?? 100;
  if (run.state.running.size - (other === undefined ? 0 : 1) >= limit) return false;
  return place.caps.every(({ id, cap }) => runningIn(oracle, run, id) - freed(id) < cap);
}

function fullestGroups(oracle: OrderOracle, run: ScriptedRun) {
  return [...run.state.running].flatMap((key) => oracle.place(key)?.caps ?? []);
}

function runningIn(oracle: OrderOracle, run: ScriptedRun, group: string): number {
  return [...run.state.running].filter((key) => oracle.place(key)?.caps.some(({ id }) => id === group))
    .length;
}

/** What is wrong with the log: as of every run, and each attempt has ended that does not run any more. */
export function checkLog({ runSnapshot, events, state }: ScriptedRun, { order }: ScriptedScenario): string[] {
  const { histories, broken } = readLog(events, order);
  const complaints = [...broken];
  for (const [key, { started, ended }] of histories) {
    const isOpen = started.some((attempt) => !ended.has(attempt));
    if (isOpen && !state.running.has(key)) complaints.push(`${key} never ended an attempt`);
  }
  for (const node of Object.values(runSnapshot.nodes)) {
    if (node.state === "finished" && histories.get(taskKey(node))?.finishes !== 1)
      complaints.push(`${taskKey(node)} is finished without an event`);
  }
  return complaints;
}
