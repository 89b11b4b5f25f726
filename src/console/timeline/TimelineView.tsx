/** @jsxImportSource react */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import type { NodeRow } from "../../model/node.js";
import type { RunSpan } from "../../operations/index.js";
import { formatDuration } from "../../util/duration.js";
import { Moment } from "../parts/Moment.js";
import { Reading } from "../parts/Reading.js";
import { timeAxis } from "./axis.js";
import { TimelineRow } from "./TimelineRow.js";
import { useSpans } from "./use-spans.js";

interface TimelineViewProps {
  runId: string;
  nodes: readonly NodeRow[];
  selected: string | undefined;
  /** The run has ended: what has no end has none any more. */
  isOver: boolean;
}

const LINE = 30;

/** Attempts and waits of the run on one axis of time, a line for each round of a task; only the lines in sight are drawn. */
export default function TimelineView({ runId, nodes, selected, isOver }: TimelineViewProps) {
  const { spans = [], ...reading } = useSpans(runId, nodes);
  const isGrowing = !isOver && spans.some(({ finishedAtMs }) => finishedAtMs === null);
  const now = useNow(isGrowing);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => byRound(spans), [spans]);
  const labels = useMemo(() => new Map(nodes.map(({ nodeId, label }) => [nodeId, label])), [nodes]);
  const axis = useMemo(() => timeAxis(spans, now), [spans, now]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE,
    overscan: 12,
  });
  const idle = axis.stretches.filter(({ isIdle }) => isIdle);
  const first = axis.stretches[0];
  const last = axis.stretches.at(-1);
  return (
    <section className="pane" aria-label="Timeline">
      <Reading {...reading} isStale={false} />
      {!reading.isLoading && spans.length === 0 && <p className="empty">Nothing has begun yet.</p>}
      {first !== undefined && last !== undefined && (
        <div className="tree-tools timeline-head">
          <span>
            <Moment at={first.fromMs} /> to {isGrowing ? "now" : <Moment at={last.toMs} />}
          </span>
          <span className="legend">
            <span className="bar busy" /> at work
          </span>
          <span className="legend">
            <span className="bar waiting" /> waits
          </span>
          {idle.length > 0 && (
            <span className="legend">
              <span className="idle-mark" /> idle for{" "}
              {formatDuration(idle.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0))}, drawn short
            </span>
          )}
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard. */}
      <section ref={scroller} className="tree-scroll" tabIndex={0} aria-label="Attempts and waits">
        <ol className="tree" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            const nodeId = row?.[0]?.nodeId;
            if (row === undefined || nodeId === undefined) return null;
            return (
              <li
                key={index}
                className="tree-place"
                style={{ height: LINE, transform: `translateY(${start}px)` }}
              >
                <TimelineRow
                  runId={runId}
                  spans={row}
                  label={labels.get(nodeId) ?? nodeId}
                  axis={axis}
                  now={now}
                  isSelected={nodeId === selected}
                />
              </li>
            );
          })}
        </ol>
      </section>
    </section>
  );
}

/** Spans of one round of a task together, in the order of the first of them. */
function byRound(spans: readonly RunSpan[]): RunSpan[][] {
  const rows = new Map<string, RunSpan[]>();
  for (const span of spans) {
    const key = JSON.stringify([span.nodeId, span.iteration]);
    const row = rows.get(key);
    if (row === undefined) rows.set(key, [span]);
    else row.push(span);
  }
  return [...rows.values()];
}

function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}
