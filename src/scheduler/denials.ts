import type { TaskKey } from "../model/address.js";
import { isTerminalNode } from "../model/node.js";
import { dependencyIds } from "../model/dependencies.js";
import { openIfReached, skipNode } from "./nodes.js";
import { isAfterDenial, isDeniedApproval } from "./regions.js";
import type { NodeRecord } from "./state.js";
import type { StepContext } from "./step-context.js";

/**
 * A denied approval with `onDeny: "skip"` takes with it what comes after it in
 * its sequence, whatever depends on any of these, and what later frames add
 * there: another iteration of a loop, say. A task that is not reached yet is skipped
 * when it is; behind an asynchronous approval some of it may be reached already.
 */
export function skipWithFollowers(context: StepContext, node: NodeRecord): void {
  const { state } = context;
  const taken = [skipAsDenied(context, node, "it was denied")];
  for (const vertex of state.graph.vertices) {
    if (vertex.kind !== "task" || vertex.pending > 0) continue;
    const other = state.nodes.get(vertex.key);
    if (other === undefined || other.attempt !== null || isTerminalNode(other.row.state)) continue;
    if (!isTakenByDenial(context, other)) continue;
    taken.push(skipAsDenied(context, other, `${node.row.nodeId} was denied`));
  }
  for (const other of taken) openIfReached(context, other);
}

function skipAsDenied(context: StepContext, node: NodeRecord, reason: string): NodeRecord {
  node.queued = false;
  node.denied = true;
  skipNode(context, node, reason);
  return node;
}

/** Whether a denial, its own or one before it, keeps a task from running. */
export function isTakenByDenial(context: StepContext, node: NodeRecord): boolean {
  const { state } = context;
  const region = state.graph.vertices[node.vertex]?.region ?? -1;
  if (isDeniedApproval(state, node.key) || isAfterDenial(context, region)) return true;
  if (node.task === null) return false;
  for (const id of dependencyIds(node.task)) {
    const key: TaskKey | undefined = state.latest.get(id);
    if (key !== undefined && isDenied(context, key)) return true;
  }
  return false;
}

/** The task was skipped because of a denial. Found out again by a process that takes the run over. */
export function isDenied(context: StepContext, key: TaskKey): boolean {
  const node = context.state.nodes.get(key);
  if (node?.row.state !== "skipped") return false;
  if (node.denied === null) {
    // Tasks of a block that failed may depend on each other in a circle.
    node.denied = false;
    node.denied = isTakenByDenial(context, node);
  }
  return node.denied;
}
