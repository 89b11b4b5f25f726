import type { NodeRow } from "../../model/node.js";

/** A loop around a node and the iteration of it that the node is in. */
export interface Round {
  /** See `shapeOf`. */
  loop: string;
  iteration: number;
}

/** An address without the iterations in it: the same for each round of the loops around. */
export function shapeOf(id: string): string {
  const [written = "", ...around] = id.split("@@");
  return [written, ...around.map((part) => part.slice(0, part.lastIndexOf("=")))].join("@@");
}

/** The loops around a loop, saga or try block, outermost first. */
export function roundsAround(controlId: string): Round[] {
  const names: string[] = [];
  return controlId
    .split("@@")
    .slice(1)
    .map((part) => {
      const at = part.lastIndexOf("=");
      const loop = [part.slice(0, at), ...names].join("@@");
      names.push(part.slice(0, at));
      return { loop, iteration: Number(part.slice(at + 1)) };
    });
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
