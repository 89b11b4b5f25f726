/** @jsxImportSource react */
import { type KeyboardEvent, type SyntheticEvent, useEffect, useMemo, useRef, useState } from "react";
import type { NodeRow } from "../../model/node.js";
import type { RunSpan } from "../../operations/index.js";
import { LineList } from "../parts/LineList.js";
import { Reading } from "../parts/Reading.js";
import { shownShort } from "../parts/text.js";
import { timeAxis } from "./axis.js";
import { criticalPath } from "./critical-path.js";
import { type ShownSpans, TimelineHead } from "./TimelineHead.js";
import { TimelineRow, textOf } from "./TimelineRow.js";
import { useAxisPart } from "./use-axis-part.js";
import { useSpans } from "./use-spans.js";
import { partOf } from "./zoom.js";

interface TimelineViewProps {
  runId: string;
  nodes: readonly NodeRow[];
  selected: string | undefined;
  /** The run has ended: what has no end has none any more. */
  isOver: boolean;
}

const LINE = 30;
/** Spans of a row that are said in words. */
const MOST_SAID = 8;

/** Attempts and waits of the run on one axis of time, a line for each round of a task; only the lines in sight are drawn. */
export default function TimelineView({ runId, nodes, selected, isOver }: TimelineViewProps) {
  const { spans = [], ...reading } = useSpans(runId, nodes);
  const isGrowing = !isOver && spans.some(({ finishedAtMs }) => finishedAtMs === null);
  const now = useNow(isGrowing);
  const [shown, setShown] = useState<ShownSpans>("all");
  const [round, setRound] = useState<number | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const pane = useRef<HTMLElement>(null);
  const { part, isZoomed, zoom, move, showAll } = useAxisPart(pane);
  const critical = useMemo(() => criticalPath(spans, now), [spans, now]);
  const rounds = useMemo(() => spans.reduce((most, span) => Math.max(most, span.iteration + 1), 1), [spans]);
  const drawn = useMemo(
    () =>
      spans.filter(
        (span) =>
          (round === null || span.iteration === round - 1) &&
          (shown !== "failed" || span.state === "failed") &&
          (shown !== "critical path" || critical.has(span.seq)),
      ),
    [spans, round, shown, critical],
  );
  const rows = useMemo(() => byRound(drawn), [drawn]);
  const labels = useMemo(() => new Map(nodes.map(({ nodeId, label }) => [nodeId, label])), [nodes]);
  // What is drawn has all of the axis.
  const whole = useMemo(() => timeAxis(drawn, now), [drawn, now]);
  const axis = useMemo(() => partOf(whole, part), [whole, part]);
  const place = rows.findIndex((row) => row[0]?.nodeId === selected);
  const point = ({ target }: SyntheticEvent) => {
    const index = target instanceof Element ? target.closest("[data-row]")?.getAttribute("data-row") : null;
    if (index != null) setPointed(Number(index));
  };
  const onKeyDown = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
    if (ctrlKey || metaKey || altKey) return;
    if (key === "+" || key === "=") zoom(2);
    if (key === "-") zoom(0.5);
    if (key === "0") showAll();
    if (key === "ArrowLeft") move(-0.25);
    if (key === "ArrowRight") move(0.25);
  };
  const said = pointed === null ? undefined : rows[pointed];
  const labelOf = (nodeId: string) => labels.get(nodeId) ?? nodeId;
  return (
    <section ref={pane} className="pane" aria-label="Timeline">
      <Reading {...reading} isStale={false} />
      {!reading.isLoading && spans.length === 0 && <p className="empty">Nothing has begun yet.</p>}
      {spans.length > 0 && (
        <TimelineHead
          shown={shown}
          onShow={setShown}
          round={round}
          rounds={rounds}
          onRound={setRound}
          isZoomed={isZoomed}
          onZoom={zoom}
          onFit={showAll}
          axis={axis}
          idleMs={whole.stretches.reduce(
            (sum, { isIdle, fromMs, toMs }) => sum + (isIdle ? toMs - fromMs : 0),
            0,
          )}
        />
      )}
      {spans.length > 0 && rows.length === 0 && <p className="empty">No attempt is like this.</p>}
      <LineList
        label="Attempts and waits"
        count={rows.length}
        height={LINE}
        keyOf={(index) => index}
        chosen={{ key: selected, index: place }}
        onPointerOver={point}
        onFocus={point}
        onKeyDown={onKeyDown}
      >
        {(index) => {
          const row = rows[index];
          const nodeId = row?.[0]?.nodeId;
          if (row === undefined || nodeId === undefined) return null;
          return (
            <TimelineRow
              runId={runId}
              spans={row}
              label={labelOf(nodeId)}
              axis={axis}
              now={now}
              isSelected={nodeId === selected}
              critical={critical}
            />
          );
        }}
      </LineList>
      {said?.[0] !== undefined && (
        <p className="timeline-said">
          <strong>{shownShort(labelOf(said[0].nodeId), 60)}</strong>{" "}
          {said
            .slice(-MOST_SAID)
            .map((span) => textOf(span, now))
            .join("; ")}
        </p>
      )}
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
