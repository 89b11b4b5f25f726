/** @jsxImportSource react */
import { Fragment } from "react";
import type { RunSpan } from "../../operations/index.js";
import { formatDuration } from "../../util/duration.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { lookOf, State } from "../parts/State.js";
import { shownShort } from "../parts/text.js";
import type { TimeAxis } from "./axis.js";

interface TimelineRowProps {
  runId: string;
  /** Of one round of a task, at least one. */
  spans: readonly RunSpan[];
  label: string;
  axis: TimeAxis;
  now: number;
  isSelected: boolean;
  /** Numbers of the spans that the run's end has waited for. */
  critical: ReadonlySet<number>;
}

/** A round of a task: its name, its attempts and waits as bars, and how it stands. */
export function TimelineRow({ runId, spans, label, axis, now, isSelected, critical }: TimelineRowProps) {
  const [first] = spans;
  const last = spans.at(-1);
  if (first === undefined || last === undefined) return null;
  const { nodeId, iteration } = first;
  const round = iteration > 0 ? { round: String(iteration + 1) } : {};
  return (
    <div className={`timeline-row${isSelected ? " selected" : ""}`}>
      <Link
        className="timeline-name"
        to={places.timeline(runId, nodeId, round)}
        aria-current={isSelected ? "true" : undefined}
      >
        {shownShort(label, 80)}
        {iteration > 0 && ` · round ${iteration + 1}`}
      </Link>
      <span className="track">
        {axis.stretches
          .filter(({ isIdle }) => isIdle)
          .map(({ fromMs, from, to }) => (
            <span
              key={fromMs}
              className="idle-mark"
              style={{ left: percent(from), width: percent(to - from) }}
            />
          ))}
        {spans.map((span) => {
          const queuedFrom = axis.at(span.startedAtMs - span.queuedMs);
          const from = axis.at(span.startedAtMs);
          const to = axis.at(span.finishedAtMs ?? now);
          if (to < 0 || queuedFrom > 1) return null;
          const kind = span.attempt === null ? "waiting" : lookOf(span.state).tone;
          return (
            <Fragment key={span.seq}>
              {span.queuedMs > 0 && (
                <span
                  className="bar queued"
                  style={{ left: percent(queuedFrom), width: percent(from - queuedFrom) }}
                  title={textOf(span, now)}
                />
              )}
              <span
                className={`bar ${kind}${span.finishedAtMs === null ? " open" : ""}${critical.has(span.seq) ? " critical" : ""}`}
                style={{ left: percent(from), width: percent(to - from) }}
                title={textOf(span, now)}
              />
            </Fragment>
          );
        })}
      </span>
      <span className="timeline-state">
        <State state={last.state} isShort />{" "}
        <span className="number">
          {formatDuration(Math.max(0, (last.finishedAtMs ?? now) - first.startedAtMs))}
        </span>
      </span>
    </div>
  );
}

/** A span in words: which attempt or wait, from when to when, and how long. */
export function textOf(
  { attempt, state, startedAtMs, finishedAtMs, queuedMs }: RunSpan,
  now: number,
): string {
  const what = attempt === null ? lookOf(state).text : `attempt ${attempt}, ${lookOf(state).text}`;
  const until = finishedAtMs === null ? "now" : new Date(finishedAtMs).toLocaleTimeString();
  const took = formatDuration(Math.max(0, (finishedAtMs ?? now) - startedAtMs));
  const queued = queuedMs > 0 ? `, after ${formatDuration(queuedMs)} in the queue` : "";
  return `${what}: ${new Date(startedAtMs).toLocaleTimeString()} to ${until}, ${took}${queued}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}
