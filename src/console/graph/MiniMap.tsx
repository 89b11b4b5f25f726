/** @jsxImportSource react */
import type { PointerEvent } from "react";
import { lookOf } from "../parts/State.js";
import type { PlacedChart, Point } from "./lay-out.js";
import type { Standing } from "./node-standing.js";
import type { Viewport, WindowSize } from "./use-viewport.js";

interface MiniMapProps {
  chart: PlacedChart;
  standings: ReadonlyMap<string, Standing>;
  view: Viewport;
  size: WindowSize;
  onMove(to: Point): void;
}

const WIDTH = 168;
const HIGHEST = 120;

/** All boxes, and the window on them: a press moves it there. The keyboard moves from box to box instead. */
export function MiniMap({ chart, standings, view, size, onMove }: MiniMapProps) {
  const scale = Math.min(WIDTH / chart.width, HIGHEST / chart.height);
  const move = (event: PointerEvent<SVGSVGElement>) => {
    if (event.buttons === 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    onMove({ x: (event.clientX - box.left) / scale, y: (event.clientY - box.top) / scale });
  };
  return (
    <svg
      className="graph-map"
      aria-hidden="true"
      width={chart.width * scale}
      height={chart.height * scale}
      viewBox={`0 0 ${chart.width} ${chart.height}`}
      onPointerDown={move}
      onPointerMove={move}
    >
      {chart.nodes.map(({ name, x, y, width, height }) => (
        <rect
          key={name}
          className={lookOf(standings.get(name)?.state ?? "pending").tone}
          x={x - width / 2}
          y={y - height / 2}
          width={width}
          height={height}
        />
      ))}
      <rect
        className="graph-window"
        x={-view.x / view.scale}
        y={-view.y / view.scale}
        width={size.width / view.scale}
        height={size.height / view.scale}
      />
    </svg>
  );
}
