/** @jsxImportSource react */
import { formatDuration } from "../../util/duration.js";
import { Icon } from "../parts/Icon.js";
import type { TimeAxis } from "./axis.js";

export const SHOWN_SPANS = ["all", "failed", "critical path"] as const;
export type ShownSpans = (typeof SHOWN_SPANS)[number];

interface TimelineHeadProps {
  shown: ShownSpans;
  onShow(shown: ShownSpans): void;
  /** Null: all of them. */
  round: number | null;
  /** The last one that there is. */
  rounds: number;
  onRound(round: number | null): void;
  isZoomed: boolean;
  onZoom(factor: number): void;
  onFit(): void;
  /** As it is drawn. */
  axis: TimeAxis;
  idleMs: number;
}

/** Places of the axis that are named. */
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** What of the run is drawn, how large, and what the bars mean. */
export function TimelineHead(props: TimelineHeadProps) {
  const { shown, onShow, round, rounds, onRound, isZoomed, onZoom, onFit, axis, idleMs } = props;
  const startMs = axis.stretches[0]?.fromMs ?? 0;
  return (
    <>
      <div className="tree-tools timeline-head">
        <fieldset className="segments">
          <legend className="unseen">Which attempts and waits</legend>
          {SHOWN_SPANS.map((name) => (
            <button key={name} type="button" aria-pressed={shown === name} onClick={() => onShow(name)}>
              {name}
            </button>
          ))}
        </fieldset>
        {rounds > 1 && (
          <label className="row-of-fields">
            Round
            <input
              type="number"
              className="timeline-round"
              min={1}
              max={rounds}
              placeholder="all"
              value={round ?? ""}
              onChange={({ target }) => onRound(target.value === "" ? null : Number(target.value))}
            />
          </label>
        )}
        <fieldset className="segments">
          <legend className="unseen">Zoom</legend>
          <button type="button" aria-label="Zoom out" disabled={!isZoomed} onClick={() => onZoom(0.5)}>
            <Icon name="minus" />
          </button>
          <button type="button" aria-label="Zoom in" onClick={() => onZoom(2)}>
            <Icon name="plus" />
          </button>
          <button type="button" disabled={!isZoomed} onClick={onFit}>
            <Icon name="fit" /> Fit
          </button>
        </fieldset>
        <span className="legend">
          <span className="bar busy" /> at work
        </span>
        <span className="legend">
          <span className="bar waiting" /> waits
        </span>
        <span className="legend">
          <span className="bar queued" /> queued
        </span>
        <span className="legend">
          <span className="bar idle critical" /> critical path
        </span>
        {idleMs > 0 && (
          <span className="legend">
            <span className="idle-mark" /> idle for {formatDuration(idleMs)}, drawn short
          </span>
        )}
      </div>
      <div className="timeline-row timeline-ticks" aria-hidden="true">
        <span />
        <span className="track">
          {TICKS.map((share) => (
            <span key={share} className="number" style={{ insetInlineStart: `${share * 100}%` }}>
              +{formatDuration(Math.round(axis.momentAt(share) - startMs))}
            </span>
          ))}
        </span>
        <span />
      </div>
    </>
  );
}
