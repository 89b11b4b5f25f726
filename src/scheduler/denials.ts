import { isTerminalNode, type TaskKey } from "../model/node.js";
import { dependencyIds } from "./dependencies.js";
import type { Vertex } from "./graph-types.js";
import { openIfReached, skipNode } from "./nodes.js";
import { isAfterDenial, isDeniedApproval } from "./regions.js";
import type { NodeRecord } from "./state.js";
import type { Turn } from "./turn.js";

/**
 * A denied approval with `onDeny: "skip"` takes with it what comes after it in
 * its sequence, whatever depends on any of these, and what later frames add
 * there: another iteration of a loop, say.
 */
export function skipWithFollowers(turn: Turn, node: NodeRecord): void {
  const { state } = turn;
  const taken = [skipAsDenied(turn, node, "it was denied")];
  for (let grew = true; grew; ) {
    grew = false;
    for (const vertex of state.graph.vertices) {
      const other = state.nodes.get(vertex.key);
      if (other === undefined || other.attempt !== null || isTerminalNode(other.row.state)) continue;
      if (!isTakenByDenial(turn, other, vertex)) continue;
      taken.push(skipAsDenied(turn, other, `${node.row.nodeId} was denied`));
      grew = true;
    }
  }
  for (const other of taken) openIfReached(turn, other);
}

function skipAsDenied(turn: Turn, node: NodeRecord, reason: string): NodeRecord {
  node.queued = false;
  node.denied = true;
  skipNode(turn, node, reason);
  return node;
}

/** Whether a denial elsewhere, or its own, keeps a task from running. */
export function isTakenByDenial(turn: Turn, node: NodeRecord, vertex: Vertex): boolean {
  const { state } = turn;
  if (isDeniedApproval(state, node.key) || isAfterDenial(turn, vertex.region)) return true;
  if (node.task === null) return false;
  for (const id of dependencyIds(node.task)) {
    const key: TaskKey | undefined = state.latest.get(id);
    if (key !== undefined && state.nodes.get(key)?.denied === true) return true;
  }
  return false;
}
