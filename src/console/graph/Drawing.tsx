/** @jsxImportSource react */
import { memo } from "react";
import { shownShort } from "../parts/text.js";
import { GraphNode } from "./GraphNode.js";
import type { PlacedChart, PlacedEdge } from "./lay-out.js";
import type { Standing } from "./node-standing.js";

interface DrawingProps {
  chart: PlacedChart;
  standings: ReadonlyMap<string, Standing>;
  /** By names of boxes; null for what opens in place. */
  hrefs: ReadonlyMap<string, string | null>;
  selected: string | undefined;
  active: string | undefined;
  /** Index of an edge. */
  chosenEdge: number | null;
}

/** All of the picture; it stays as it is while its window moves. */
export const Drawing = memo(function Drawing(props: DrawingProps) {
  const { chart, standings, hrefs, selected, active, chosenEdge } = props;
  return (
    <>
      {chart.groups.map(({ name, title, x, y, width, height }) => (
        <g key={name} className="graph-group" transform={`translate(${x - width / 2} ${y - height / 2})`}>
          <rect width={width} height={height} rx={8} />
          <text x={10} y={-5}>
            {shownShort(title, Math.max(12, Math.floor(width / 6.5)))}
          </text>
        </g>
      ))}
      {chart.edges.map((edge, index) => (
        <g
          // biome-ignore lint/suspicious/noArrayIndexKey: an edge has no other name.
          key={index}
          className={`graph-edge${edge.dashed ? " dashed" : ""}${index === chosenEdge ? " selected" : ""}`}
        >
          <path d={lineOf(edge)} markerEnd="url(#graph-arrow)" />
          {/* A line is too thin to be hit. */}
          <path className="graph-hit" d={lineOf(edge)} data-edge={index} />
          {edge.labelAt !== null && (
            <text x={edge.labelAt.x} y={edge.labelAt.y + 4} textAnchor="middle">
              {edge.label}
            </text>
          )}
        </g>
      ))}
      {chart.nodes.map((node) => (
        <GraphNode
          key={node.name}
          node={node}
          standing={standings.get(node.name) ?? null}
          href={hrefs.get(node.name) ?? null}
          isSelected={node.nodeId !== undefined && node.nodeId === selected}
          isActive={node.name === active}
        />
      ))}
    </>
  );
});

/** One from left to right is level at each of its points, another goes through the middles of its parts: so bends are round. */
function lineOf({ points, isForth }: PlacedEdge): string {
  const [first, ...rest] = points;
  if (isForth && first !== undefined) {
    let before = first;
    return rest.reduce((line, point) => {
      const middle = (before.x + point.x) / 2;
      const part = ` C${middle} ${before.y} ${middle} ${point.y} ${point.x} ${point.y}`;
      before = point;
      return line + part;
    }, `M${first.x} ${first.y}`);
  }
  const last = rest.pop();
  if (first === undefined || last === undefined) return "";
  let line = `M${first.x} ${first.y}`;
  rest.forEach((bend, index) => {
    const next = rest[index + 1] ?? last;
    const end = next === last ? last : { x: (bend.x + next.x) / 2, y: (bend.y + next.y) / 2 };
    line += ` Q${bend.x} ${bend.y} ${end.x} ${end.y}`;
  });
  return rest.length === 0 ? `${line} L${last.x} ${last.y}` : line;
}
