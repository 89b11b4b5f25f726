import { controlId, roundsIn, shapeOf } from "../../model/address.js";
import type { NodeRow } from "../../model/node.js";

/** A loop around a node and the iteration of it that the node is in. */
export interface Round {
  /** See `shapeOf`. */
  loop: string;
  iteration: number;
}

/** The loops around a loop, saga or try block, outermost first. */
export function roundsAround(address: string): Round[] {
  const rounds = roundsIn(address);
  return rounds.map(({ id, iteration }, depth) => ({
    loop: shapeOf(controlId(id, rounds.slice(0, depth))),
    iteration,
  }));
}

/** The loops around a node, outermost first. */
export function roundsOf({ loopId, iteration }: Pick<NodeRow, "loopId" | "iteration">): Round[] {
  return loopId === null ? [] : [...roundsAround(loopId), { loop: shapeOf(loopId), iteration }];
}

/** Which comes first by the loops that both are in: negative, 0 for the same round or no common loop, positive. */
export function compareRounds(a: readonly Round[], b: readonly Round[]): number {
  for (const [depth, round] of a.entries()) {
    const other = b[depth];
    if (other?.loop !== round.loop) return 0;
    if (other.iteration !== round.iteration) return round.iteration - other.iteration;
  }
  return 0;
}
