/** @jsxImportSource react */
import { useEffect, useState } from "react";
import { Icon } from "../../parts/Icon.js";

interface FrameScrubberProps {
  frameNo: number;
  first: number;
  newest: number;
  /** The frame in words. */
  text: string;
  onChange(frameNo: number): void;
}

/** A frame stays this long while they are played, milliseconds. */
const PLAYED_MS = 900;

/** Steps through the frames: a slider, whose arrow keys go to the next and to the one before; or plays them. */
export function FrameScrubber({ frameNo, first, newest, text, onChange }: FrameScrubberProps) {
  const [isPlaying, setPlaying] = useState(false);
  const isOver = frameNo === newest;
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setTimeout(() => (isOver ? setPlaying(false) : onChange(frameNo + 1)), PLAYED_MS);
    return () => clearTimeout(timer);
  });
  return (
    <div className="scrubber">
      <button
        type="button"
        className="plain"
        aria-label={isPlaying ? "Pause" : "Play the frames"}
        onClick={() => {
          // From the newest there is nothing to come.
          if (!isPlaying && isOver) onChange(first);
          setPlaying(!isPlaying);
        }}
      >
        <Icon name={isPlaying ? "pause" : "play"} />
      </button>
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
