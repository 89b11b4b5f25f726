/** @jsxImportSource react */
import { ICONS } from "../parts/icons.js";
import { lookOf } from "../parts/State.js";
import { shownShort } from "../parts/text.js";
import type { FlowNode } from "../../graph/flowchart.js";
import type { Placed } from "./lay-out.js";
import type { Standing } from "./node-standing.js";

interface GraphNodeProps {
  node: FlowNode & Placed;
  /** Null for what is no task. */
  standing: Standing | null;
  /** Null where it is opened in place. */
  href: string | null;
  isSelected: boolean;
  /** The keyboard comes in here. */
  isActive: boolean;
}

/** A box of the graph: a task, a folded group, or a point of the structure. Clicks and keys are the graph's own. */
export function GraphNode({ node, standing, href, isSelected, isActive }: GraphNodeProps) {
  const { name, shape, label, x, y, width, height } = node;
  const place = `translate(${x - width / 2} ${y - height / 2})`;
  if (standing === null) {
    return (
      <g className="graph-mark" transform={place}>
        <rect width={width} height={height} rx={shape === "point" ? height / 2 : 6} />
        <text x={width / 2} y={height / 2 + 4} textAnchor="middle">
          {label}
        </text>
      </g>
    );
  }
  const { icon, tone } = lookOf(standing.state);
  const isFold = href === null;
  const body = (
    <>
      {isFold && <rect className="graph-back" x={4} y={4} width={width} height={height} rx={6} />}
      <rect className="graph-box" width={width} height={height} rx={CORNERS[shape] ?? 6} />
      <path className="graph-icon" d={ICONS[icon]} transform="translate(10 15)" />
      {/* One text, so that its parts are the name of the box; the mark between them is not seen. */}
      <text>
        <tspan className="graph-name" x={34} y={20}>
          {shownShort(label, Math.floor((width - 54) / 8))}
        </tspan>
        <tspan fillOpacity={0}>, </tspan>
        <tspan className="graph-state" x={34} y={36}>
          {shownShort(standing.text, Math.floor((width - 46) / 6.5))}
        </tspan>
      </text>
      {label.length > (width - 54) / 8 && <title>{shownShort(label, 1_000)}</title>}
    </>
  );
  const shared = {
    "data-name": name,
    tabIndex: isActive ? 0 : -1,
    className: `graph-node ${tone}${isSelected ? " selected" : ""}`,
  };
  return (
    <g transform={place}>
      {isFold ? (
        // biome-ignore lint/a11y/useSemanticElements: a picture has no buttons of its own.
        <g role="button" aria-expanded={false} {...shared}>
          {body}
        </g>
      ) : (
        <a href={href} draggable={false} aria-current={isSelected ? "true" : undefined} {...shared}>
          {body}
        </a>
      )}
    </g>
  );
}

/** People and waits have round corners, as far as their shape says so. */
const CORNERS: Partial<Record<FlowNode["shape"], number>> = {
  question: 16,
  timer: 23,
  event: 23,
  subflow: 2,
};
