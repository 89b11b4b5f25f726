import type { TaskKey } from "../model/address.js";
import { isSameLimits, limitsOf } from "../model/named-limit.js";
import type { TaskDescriptor } from "../model/task.js";
import { Heap } from "../util/heap.js";
import type { NodeRecord, SchedulerState } from "./state.js";
import type { StepContext } from "./step-context.js";

/**
 * Slots of limits that are shared with other runs. The scheduler asks for one and
 * is notified when it is there; the limiter decides who gets the next.
 *
 * A task that asks is still queued, and takes no slot of its run: others start
 * meanwhile. A run asks for no more than it could start. A slot that cannot be
 * used at once goes back, and so does one for a task that does not need it any more.
 */

/** The slot that the task needs to start, as far as it has not got it; null when it may start. */
export function slotToAsk(state: SchedulerState, node: NodeRecord): readonly string[] | null {
  const { task, slot } = node;
  if (task === null) return null;
  const limits = limitsOf(task, { failures: node.row.failures, agentAt: node.passedOn?.agentAt ?? null });
  if (limits.length === 0 && !(state.everyTaskAsks && isWork(task))) return null;
  return slot?.state === "held" && isSameLimits(slot.limits, limits) ? null : limits;
}

/** A wait does no work, and the tasks of a subflow ask for themselves. */
function isWork({ kind }: TaskDescriptor): boolean {
  return kind === "agent" || kind === "compute" || kind === "static";
}

/** Asks for what a queued task needs, unless as many ask already as could start. */
export function askForSlot(context: StepContext, node: NodeRecord, limits: readonly string[]): void {
  const { state } = context;
  // It is queued, and starts once the slot comes.
  if (node.slot?.state === "asked" && isSameLimits(node.slot.limits, limits)) return;
  if (node.slot?.state === "held") giveBack(context, node);
  else askNoMore(state, node);
  const set = setOf(limits);
  if (askingFor(state, set) >= state.maxConcurrency - state.running.size) {
    const waiting = state.graph.limited.get(set) ?? new Heap<number>((a, b) => a < b);
    state.graph.limited.set(set, waiting);
    waiting.push(node.vertex);
    return;
  }
  node.slot = { limits, state: "asked", isUnused: false };
  const asking = state.asking.get(set) ?? new Set<TaskKey>();
  state.asking.set(set, asking.add(node.key));
  context.emit({ type: "ask-slot", key: node.key, limits });
}

/** There is a slot. */
export function slotGranted(context: StepContext, key: TaskKey, limits: readonly string[]): void {
  const { state } = context;
  const node = state.nodes.get(key);
  const slot = node?.slot;
  if (node === undefined || slot?.state !== "asked" || !isSameLimits(slot.limits, limits)) {
    context.emit({ type: "free-slot", key, limits, isUnused: true });
    return;
  }
  askNoMore(state, node);
  node.slot = { limits, state: "held", isUnused: false };
  state.granted.add(key);
  if (node.queued) state.graph.ready.push(node.vertex);
}

/** The task starts: with its slot, or because it needs the one that it has asked for no more. */
export function useSlot(context: StepContext, node: NodeRecord): void {
  if (node.slot?.state === "asked") askNoMore(context.state, node);
  else context.state.granted.delete(node.key);
}

function askNoMore(state: SchedulerState, node: NodeRecord): void {
  if (node.slot?.state !== "asked") return;
  state.asking.get(setOf(node.slot.limits))?.delete(node.key);
  node.slot = null;
}

/** The attempt that had it is over. */
export function freeSlot(context: StepContext, node: NodeRecord): void {
  const { slot } = node;
  if (slot === null) return;
  node.slot = null;
  context.state.granted.delete(node.key);
  context.emit({ type: "free-slot", key: node.key, limits: slot.limits, isUnused: slot.isUnused });
}

/** Unused slots go back; their tasks are queued as before. */
export function returnGranted(context: StepContext): void {
  for (const key of [...context.state.granted]) {
    const node = context.state.nodes.get(key);
    if (node !== undefined) giveBack(context, node);
  }
}

function giveBack(context: StepContext, node: NodeRecord): void {
  if (node.slot !== null) node.slot.isUnused = true;
  freeSlot(context, node);
}

/** Those that did not ask because others did try again, as far as there is room by now. */
export function wakeLimited(context: StepContext): void {
  const { state } = context;
  const { limited, ready } = state.graph;
  for (const [set, waiting] of limited) {
    let room = state.maxConcurrency - state.running.size - askingFor(state, set);
    for (; room > 0 && waiting.size > 0; room -= 1) ready.push(waiting.pop() as number);
    if (waiting.size === 0) limited.delete(set);
  }
}

/** Some task could start but for a slot. */
export function isAsking(state: SchedulerState): boolean {
  if (state.graph.limited.size > 0) return true;
  for (const set of state.asking.keys()) if (askingFor(state, set) > 0) return true;
  return false;
}

/** Tasks that could start but for a slot. */
export function countAsking(state: SchedulerState): number {
  let count = 0;
  for (const waiting of state.graph.limited.values()) count += waiting.size;
  for (const set of state.asking.keys()) count += askingFor(state, set);
  return count;
}

/** How many ask; those that do not need it any more are forgotten. */
function askingFor(state: SchedulerState, set: string): number {
  const asking = state.asking.get(set);
  if (asking === undefined) return 0;
  for (const key of asking) {
    const node = state.nodes.get(key);
    if (node?.queued === true && node.task !== null) continue;
    if (node?.slot?.state === "asked") node.slot = null;
    asking.delete(key);
  }
  if (asking.size === 0) state.asking.delete(set);
  return asking.size;
}

function setOf(limits: readonly string[]): string {
  return JSON.stringify(limits);
}
