/** @jsxImportSource react */
import { useMemo } from "react";
import { flowchart } from "../../graph/flowchart.js";
import { ArrowHead } from "../graph/ArrowHead.js";
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
        <ArrowHead />
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
