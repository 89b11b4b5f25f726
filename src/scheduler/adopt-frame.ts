import type { TaskKey } from "../model/address.js";
import type { RenderedFrame } from "../model/graph.js";
import { type CompiledPlan, compilePlan } from "./compile.js";
import { followTree } from "./follow-tree.js";
import { forkCycle } from "./forks.js";
import { IDLE_KINDS } from "./idle-nodes.js";
import type { Graph, Vertex } from "./graph-types.js";
import { decideRounds, endedIterations, holdRounds, skipLateTasks } from "./loop-rounds.js";
import { decideTurnover } from "./loop-turnover.js";
import { decideLoops, mountLoop } from "./loops.js";
import { mountNode, unmountNode } from "./nodes.js";
import { occupy } from "./ready.js";
import { restoreScope, takeRecoveries } from "./scopes.js";
import { emptyGraph, idleNodes, isEnding } from "./state.js";
import type { StepContext } from "./step-context.js";

/**
 * Takes a rendered frame over: compiles it if its structure is new, then decides
 * the loops by it. A run that is ending is only rendered to be stored: a later
 * resume compares its first frame with what these rows gave.
 */
export function adoptFrame(context: StepContext, frame: RenderedFrame, isLastLook: boolean): void {
  const { state } = context;
  state.wantsFrame = null;
  if (isEnding(state)) return;
  state.adopting = true;
  // The errors that this frame has been rendered with.
  const recovering = new Set(state.recovering);
  // Taken back by whatever this frame sets in motion.
  if (isLastLook) state.isConfirmed = true;
  let grown: ReturnType<typeof holdRounds> = [];
  const { graph } = state;
  const isReworded = frame.structureVersion !== graph.structureVersion;
  if (frame.plan !== graph.plan || (isReworded && graph.hasQuestions) || state.recompile) {
    state.recompile = false;
    state.toOpen = [];
    grown = mount(context, compilePlan(frame.plan, frame.structureVersion));
  } else {
    graph.structureVersion = frame.structureVersion;
    if (isReworded) relabel(context);
    openEnded(context);
  }
  for (const inline of frame.inlines ?? []) if (!state.controls.has(inline.id)) context.control(inline);
  takeRecoveries(context, recovering);
  while (decideLoops(context));
  if (grown.length > 0) decideRounds(context, grown);
  state.adopting = false;
}

/** The plan is that of before, its tasks have other words: what has begun shows them. */
function relabel(context: StepContext): void {
  const { state } = context;
  for (const key of state.running) {
    const node = state.nodes.get(key);
    if (node !== undefined) followTree(context, node, node.task);
  }
  for (const kind of IDLE_KINDS) {
    for (const node of idleNodes(state, kind)) followTree(context, node, node.task);
  }
}

/** Tells the successors of ended tasks, now that a frame has shown the outputs. */
export function openEnded(context: StepContext): void {
  const { state } = context;
  const ended = state.toOpen;
  if (ended.length === 0 || isEnding(state)) return;
  state.toOpen = [];
  for (const index of ended) {
    if ((state.graph.vertices[index] as Vertex).pending === 0) context.open(index);
  }
}

function keysOf({ vertices }: Graph): Set<TaskKey> {
  const keys = new Set<TaskKey>();
  for (const { kind, key } of vertices) if (kind === "task") keys.add(key);
  return keys;
}

/** @returns the loops that the plan adds tasks to, with these held back */
function mount(context: StepContext, graph: CompiledPlan): ReturnType<typeof holdRounds> {
  const { state } = context;
  const before = state.graph;
  const ended = endedIterations(context, before);
  const created = new Set<TaskKey>();
  state.graph = graph;
  state.failure ??= forkCycle(graph.tasks);
  const mounted = keysOf(graph);
  // The first frame of a process may lack what the last one of another process had.
  for (const key of before === emptyGraph ? state.nodes.keys() : keysOf(before)) {
    const node = mounted.has(key) ? undefined : state.nodes.get(key);
    if (node !== undefined) unmountNode(context, node);
  }
  for (let index = 0, at = 0; index < graph.vertices.length; index += 1) {
    const vertex = graph.vertices[index] as Vertex;
    if (vertex.kind !== "task") continue;
    const task = graph.tasks[at];
    at += 1;
    if (task === undefined) break;
    const known = state.nodes.get(vertex.key);
    const then = known?.task ?? null;
    const node = mountNode(context, task, index);
    if (known === undefined) created.add(node.key);
    followTree(context, node, then);
    node.queued = false;
    if (node.attempt !== null) occupy(context, vertex);
  }
  for (const loop of graph.loops) mountLoop(context, loop);
  skipLateTasks(context, created);
  decideTurnover(context, before, { created, ended });
  const grown = holdRounds(context, before, ended);
  context.open(graph.entry);
  graph.scopes.forEach((_, index) => {
    restoreScope(context, index);
  });
  return grown;
}
