import type { Vertex } from "./graph-types.js";
import { endWaiting } from "./nodes.js";
import { noteFinished } from "./owed-steps.js";
import { regionTaskEnded } from "./scopes.js";
import type { NodeRecord } from "./state.js";
import type { StepContext } from "./step-context.js";

/** The node has its row: of an attempt that is closed, or of a person. */
export function finishNode(context: StepContext, node: NodeRecord, { cached }: { cached: boolean }): void {
  const { row } = node;
  row.interruptions = 0;
  endWaiting(node);
  row.state = "finished";
  row.error = null;
  row.finishedSeq = context.state.finished;
  context.state.finished += 1;
  context.event({
    type: "NodeFinished",
    nodeId: row.nodeId,
    iteration: row.iteration,
    attempt: row.lastAttempt,
    ...(cached && { cached }),
  });
  context.changed(node);
  openAfterFrame(context, node);
  const region = regionOfNode(context, node);
  if (region < 0) return;
  noteFinished(context, node);
  regionTaskEnded(context, region);
}

/** A frame that has seen the output decides about the tasks after it: its skipIf, its prompt, whether it exists. */
export function openAfterFrame(context: StepContext, node: NodeRecord): void {
  const { row } = node;
  if (node.vertex >= 0) context.state.toOpen.push(node.vertex);
  else recheckMissing(context, row.nodeId);
  context.wantFrame({ reason: "output", force: false, nodeId: row.nodeId, iteration: row.iteration });
}

/** Tasks that wait for a node which is not mounted any more may be able to start now. */
export function recheckMissing(context: StepContext, nodeId: string): void {
  for (const ids of context.state.graph.missing.values()) {
    if (!ids.includes(nodeId)) continue;
    // Compiling again is rare here and decides every waiting task at once.
    context.wantFrame({ reason: "control", force: true });
    context.state.recompile = true;
    return;
  }
}

export function regionOfNode(context: StepContext, node: NodeRecord): number {
  const vertex: Vertex | undefined = context.state.graph.vertices[node.vertex];
  return vertex?.region ?? -1;
}
