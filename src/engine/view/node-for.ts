import { controlId, type LoopRound, roundsIn, writtenId } from "../../model/address.js";
import type { NodeRow } from "../../model/node.js";
import { idInside, longestPrefix } from "../../model/id-scope.js";
import type { SchedulerView } from "../../scheduler/index.js";
import type { RunSession } from "../session/session.js";

/**
 * An id as it is written means the node in the innermost of the loops around the asking task (outermost first), or else
 * in a loop inside of that, in this round of it.
 */
export function nodeFor(
  state: RunSession["state"],
  nodeId: string,
  rounds: readonly LoopRound[],
): NodeRow | undefined {
  for (let depth = rounds.length; depth >= 0; depth -= 1) {
    const newest = state.latest.get(controlId(nodeId, rounds.slice(0, depth)));
    if (newest !== undefined) return state.nodes.get(newest)?.row;
  }
  return undefined;
}

/** The id that a task means: one of its own inline subflow. */
export function idFor({ controls }: SchedulerView, asking: NodeRow | undefined, nodeId: string): string {
  const prefixes = function* () {
    for (const control of controls.values()) if (control.kind === "inline") yield control.prefix;
  };
  return idInside({ prefix: longestPrefix(asking?.nodeId ?? "", prefixes()) }, nodeId);
}

/** The loops around a node: the iteration gives the innermost one, the id the others. */
export function roundsAroundNode(asking: NodeRow | undefined): LoopRound[] {
  if (asking === undefined) return [];
  const { nodeId, loopId, iteration } = asking;
  const outer = roundsIn(nodeId);
  return loopId === null ? outer : [...outer, { id: writtenId(loopId), iteration }];
}
