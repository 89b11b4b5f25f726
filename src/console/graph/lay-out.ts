import { Graph, layout } from "@dagrejs/dagre";
import type { Flowchart, FlowEdge, FlowItem, FlowNode } from "../../graph/flowchart.js";

export interface Point {
  x: number;
  y: number;
}

/** Place of its middle, and its size. */
export interface Placed extends Point {
  width: number;
  height: number;
}

export interface PlacedEdge extends FlowEdge {
  /** From the edge of one box to that of the other, with the bends between. */
  points: readonly Point[];
  /** Its points go from left to right, and it goes through them. */
  isForth: boolean;
  /** Place of its label; null without one. */
  labelAt: Point | null;
}

export interface PlacedChart {
  width: number;
  height: number;
  nodes: readonly (FlowNode & Placed)[];
  /** Outer ones first. */
  groups: readonly ({ name: string; title: string } & Placed)[];
  edges: readonly PlacedEdge[];
}

const TASK_HEIGHT = 46;
const LETTER = 7;

/** A chart in layers from left to right; what runs side by side stands one below the other. */
export function layOut({ items, edges }: Flowchart): PlacedChart {
  const graph = new Graph({ compound: true, multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: 16, ranksep: 44, edgesep: 10, marginx: 16, marginy: 16 });
  const nodes: FlowNode[] = [];
  const groups: { name: string; title: string }[] = [];
  const add = (item: FlowItem, parent: string | undefined) => {
    graph.setNode(item.name, item.kind === "node" ? sizeOf(item) : {});
    if (parent !== undefined) graph.setParent(item.name, parent);
    if (item.kind === "node") {
      nodes.push(item);
      return;
    }
    if (!item.items.some(hasNode)) {
      graph.removeNode(item.name);
      return;
    }
    groups.push(item);
    for (const inner of item.items) add(inner, item.name);
  };
  for (const item of items) add(item, undefined);
  const order = new Map(nodes.map(({ name }, index) => [name, index]));
  /** A loop's way back is laid out as a way there: so nothing of it stands before its head. */
  const isBack = ({ from, to, label }: FlowEdge) =>
    label !== "needs" && (order.get(from) ?? 0) > (order.get(to) ?? 0);
  const endsOf = (edge: FlowEdge): [string, string] =>
    isBack(edge) ? [edge.to, edge.from] : [edge.from, edge.to];
  // The last edge of a box comes out uppermost.
  for (const [index, edge] of [...edges.entries()].toReversed()) {
    const { label } = edge;
    const size = label === undefined ? {} : { width: label.length * LETTER, height: 16, labelpos: "c" };
    graph.setEdge(...endsOf(edge), size, String(index));
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const placeOf = (name: string) => {
    const { x, y, width, height } = graph.node(name) as Placed;
    return { x, y, width, height };
  };
  const columns = nodes.map(({ name }) => placeOf(name).x);
  /** Whether there are boxes between its ends, which its bends go around. */
  const isPassing = ({ from, to }: FlowEdge) => {
    const [start, end] = [placeOf(from), placeOf(to)];
    return columns.some((x) => x > start.x + start.width / 2 && x < end.x - end.width / 2);
  };
  return {
    width,
    height,
    nodes: nodes.map((node) => ({ ...node, ...placeOf(node.name) })),
    groups: groups.map(({ name, title }) => ({ name, title, ...placeOf(name) })),
    edges: edges.map((edge, index) => {
      const laid = graph.edge(...endsOf(edge), String(index)) as { points: Point[] };
      const isForth = !isBack(edge);
      const points = isForth
        ? betweenSides(
            placeOf(edge.from),
            placeOf(edge.to),
            laid.points,
            edge.label !== undefined || isPassing(edge),
          )
        : laid.points.toReversed();
      return {
        ...edge,
        points,
        isForth,
        labelAt: edge.label === undefined ? null : middleOf(points, isForth),
      };
    }),
  };
}

/** From the right side of one box to the left side of the other. */
function betweenSides(from: Placed, to: Placed, points: readonly Point[], isBent: boolean): Point[] {
  return [
    { x: from.x + from.width / 2, y: from.y },
    ...(isBent ? points.slice(1, -1) : []),
    { x: to.x - to.width / 2, y: to.y },
  ];
}

/** Of the line that is drawn through the points: a way back does not reach its bends. */
function middleOf(points: readonly Point[], isForth: boolean): Point | null {
  const at = Math.floor(points.length / 2);
  if (isForth) return points[at] ?? null;
  const [before, bend, after] = [points[at - 1], points[at], points[at + 1]];
  if (before === undefined || bend === undefined) return null;
  if (after === undefined) return between(before, bend);
  const start = at === 1 ? before : between(before, bend);
  const end = at === points.length - 2 ? after : between(bend, after);
  return between(between(start, bend), between(bend, end));
}

function between(one: Point, other: Point): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}

function hasNode(item: FlowItem): boolean {
  return item.kind === "node" || item.items.some(hasNode);
}

function sizeOf({ shape, label, nodeId }: FlowNode): { width: number; height: number } {
  if (shape === "point") return { width: 40, height: 40 };
  if (nodeId === undefined) return { width: 34 + label.length * LETTER, height: 32 };
  return { width: Math.max(190, Math.min(270, 56 + label.length * 8)), height: TASK_HEIGHT };
}

/** The next box from here in a direction; the nearest of those that lie there. */
export function neighbour(
  nodes: readonly (FlowNode & Placed)[],
  from: Point,
  direction: "left" | "right" | "up" | "down",
): (FlowNode & Placed) | undefined {
  const isAcross = direction === "left" || direction === "right";
  const sign = direction === "right" || direction === "down" ? 1 : -1;
  let best: (FlowNode & Placed) | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    const along = sign * (isAcross ? node.x - from.x : node.y - from.y);
    const aside = Math.abs(isAcross ? node.y - from.y : node.x - from.x);
    // A step in the direction counts more than one aside, so that a walk keeps its line.
    const distance = along + 2 * aside;
    if (along > 1 && distance < least) {
      best = node;
      least = distance;
    }
  }
  return best;
}
