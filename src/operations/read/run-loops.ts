import { DEFAULT_MAX_ITERATIONS } from "../../graph/elements/loop.js";
import { writtenId } from "../../model/address.js";
import { isTerminalNode, type NodeRow } from "../../model/node.js";
import type { XmlNode } from "../../model/xml.js";

/** A loop that is under way. */
export interface RunLoop {
  /** Id of the Loop element, as it is written. */
  id: string;
  /** The round that it is in, from 1. */
  round: number;
  /** Rounds at most; null where they have no end. */
  maxIterations: number | null;
}

/** The loops of the newest frame with a round that has begun and has not ended, in the order of the tree. */
export function loopsUnderWay(xml: XmlNode | null, nodes: readonly NodeRow[]): RunLoop[] {
  const byKey = new Map(nodes.map((node) => [JSON.stringify([node.nodeId, node.iteration]), node]));
  const loops: RunLoop[] = [];
  /** Answers the rows below. */
  const visit = (element: XmlNode, around: number): NodeRow[] => {
    if (element.kind === "text") return [];
    const { tag, props, children } = element;
    const isLoop = tag === "Loop" && props["id"] !== undefined;
    const iteration = isLoop ? Number(props["iteration"] ?? 0) : around;
    const place = loops.length;
    const below = children.flatMap((child) => visit(child, iteration));
    if (isLoop && isUnderWay(below, iteration)) {
      loops.splice(place, 0, {
        id: writtenId(String(props["id"])),
        round: iteration + 1,
        maxIterations: mostRounds(props),
      });
    }
    const own = isLoop ? undefined : byKey.get(JSON.stringify([props["id"], iteration]));
    return own === undefined ? below : [...below, own];
  };
  if (xml !== null) visit(xml, 0);
  return loops;
}

function isUnderWay(rows: readonly NodeRow[], iteration: number): boolean {
  const hasBegun =
    iteration > 0 || rows.some(({ state, lastAttempt }) => state !== "pending" || lastAttempt > 0);
  return hasBegun && rows.some(({ state }) => !isTerminalNode(state));
}

function mostRounds({ maxIterations }: Readonly<Record<string, string>>): number | null {
  const most = maxIterations === undefined ? DEFAULT_MAX_ITERATIONS : Number(maxIterations);
  return Number.isFinite(most) ? most : null;
}
