/** @jsxImportSource react */
import { useMemo } from "react";
import { flowchart } from "../../graph/flowchart.js";
import { Drawing } from "../graph/Drawing.js";
import { foldFrame } from "../graph/fold-tree.js";
import { layOut } from "../graph/lay-out.js";

/** The title of an outermost group stands above it. */
const TITLE = 12;

const NOTHING: ReadonlySet<string> = new Set();
const NO_STATES = new Map<string, never>();

/** What a run would begin with, as a picture: large groups are one box. */
export default function GraphPreview({ frame }: { frame: Parameters<typeof foldFrame>[0] }) {
  const chart = useMemo(() => layOut(flowchart(foldFrame(frame, NOTHING).frame)), [frame]);
  const { width, height } = chart;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
    <section className="graph-preview" aria-label="Graph of the first frame" tabIndex={0}>
      <svg
        width={width}
        height={height + TITLE}
        viewBox={`0 ${-TITLE} ${width} ${height + TITLE}`}
        role="img"
      >
        <title>{`${frame.tasks.length} tasks`}</title>
        <defs>
          <marker
            id="graph-arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path className="graph-arrow" d="M0 0.5L8 4L0 7.5z" />
          </marker>
        </defs>
        <Drawing
          chart={chart}
          standings={NO_STATES}
          hrefs={NO_STATES}
          selected={undefined}
          active={undefined}
          chosenEdge={null}
        />
      </svg>
    </section>
  );
}
