/** @jsxImportSource react */
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { keepText, keptText } from "../parts/kept-text.js";

const KEPT = "treadle-beside";
const LEAST = 25;
const MOST = 70;

/** How much of the width what stands beside has, in percent; kept in this browser. */
export function useShare(): [number, (share: number) => void] {
  const [share, setShare] = useState(kept);
  return [
    share,
    (wanted) => {
      setShare(inBounds(wanted));
      keepText(KEPT, String(inBounds(wanted)));
    },
  ];
}

interface SplitterProps {
  share: number;
  onShare(share: number): void;
}

/** Between two panes: drawn, or moved by the arrow keys. */
export function Splitter({ share, onShare }: SplitterProps) {
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    if (box !== undefined) onShare((100 * (box.right - event.clientX)) / box.width);
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "ArrowLeft") onShare(share + 3);
    if (key === "ArrowRight") onShare(share - 3);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line cannot be moved.
    <div
      role="separator"
      tabIndex={0}
      className="splitter"
      aria-label="Width of the task"
      aria-orientation="vertical"
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={Math.round(share)}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
    />
  );
}

function kept(): number {
  return inBounds(Number(keptText(KEPT) || Number.NaN));
}

function inBounds(share: number): number {
  return Number.isFinite(share) ? Math.min(MOST, Math.max(LEAST, share)) : 42;
}
