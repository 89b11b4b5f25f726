import type { TaskKey } from "../model/address.js";
import type { SerializedError } from "../errors/ensure-error.js";
import { isTerminalNode } from "../model/node.js";
import type { ScopeState } from "../model/plan.js";
import type { Vertex } from "./graph-types.js";
import { skipNode } from "./nodes.js";
import type { StepContext } from "./step-context.js";

/** Sagas and try blocks: their treatment of a part's tasks, and their stored progress. */

export function openFailed(context: StepContext, keys: readonly TaskKey[]): void {
  for (const key of keys) {
    const node = context.state.nodes.get(key);
    if (node?.row.state === "failed" && node.vertex >= 0) context.open(node.vertex);
  }
}

export function save(context: StepContext, control: ScopeState): void {
  if (control.phase === "recover") context.state.recovering.add(control.id);
  else context.state.recovering.delete(control.id);
  context.control(control);
}

/** Nothing of it runs. */
export function isQuiet(context: StepContext, keys: readonly TaskKey[]): boolean {
  return keys.every((key) => !context.state.running.has(key));
}

/**
 * Skips what has not run, and opens what is skipped: it may stand behind the task
 * that failed. All of them are marked before any vertex opens, so that none
 * starts in between.
 */
export function skipRest(context: StepContext, keys: readonly TaskKey[], reason: string): void {
  const skipped: number[] = [];
  for (const key of keys) {
    const node = context.state.nodes.get(key);
    if (node === undefined || node.attempt !== null) continue;
    if (!isTerminalNode(node.row.state)) {
      node.queued = false;
      skipNode(context, node, reason);
    }
    if (node.row.state === "skipped") skipped.push(node.vertex);
  }
  for (const vertex of skipped) if (vertex >= 0) context.open(vertex);
}

export function isOpen(context: StepContext, vertex: number): boolean {
  return (context.state.graph.vertices[vertex] as Vertex).open;
}

/** Nothing before it is pending, whether or not it is open. */
export function isPartReached(context: StepContext, vertex: number): boolean {
  return (context.state.graph.vertices[vertex] as Vertex).pending === 0;
}

export function withCause(error: SerializedError, cause: SerializedError | undefined): SerializedError {
  return cause === undefined || error.cause !== undefined ? error : { ...error, cause };
}
