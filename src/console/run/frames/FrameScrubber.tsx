/** @jsxImportSource react */
import { Icon } from "../../parts/Icon.js";

interface FrameScrubberProps {
  frameNo: number;
  first: number;
  newest: number;
  /** The frame in words. */
  text: string;
  onChange(frameNo: number): void;
}

/** Steps through the frames: a slider, whose arrow keys go to the next and to the one before. */
export function FrameScrubber({ frameNo, first, newest, text, onChange }: FrameScrubberProps) {
  return (
    <div className="scrubber">
      <button
        type="button"
        className="plain"
        aria-label="Frame before"
        disabled={frameNo === first}
        onClick={() => onChange(frameNo - 1)}
      >
        <Icon name="left" />
      </button>
      <input
        type="range"
        className="scrub"
        aria-label="Frame"
        aria-valuetext={text}
        min={first}
        max={newest}
        value={frameNo}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      <button
        type="button"
        className="plain"
        aria-label="Next frame"
        disabled={frameNo === newest}
        onClick={() => onChange(frameNo + 1)}
      >
        <Icon name="right" />
      </button>
      <span className="hint number">
        {frameNo} of {newest}
      </span>
    </div>
  );
}
