/** @jsxImportSource react */
import { useEffect, useState } from "react";
import { formatDuration } from "../../util/duration.js";

/** Time since a moment; it continues by itself until it has an end. */
export function Since({ at, until }: { at: number; until?: number | null }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (until != null) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  const span = Math.max(0, (until ?? now) - at);
  return (
    <span className="number">{until == null && span < 60_000 ? seconds(span) : formatDuration(span)}</span>
  );
}

/** Tenths that change once a second say nothing. */
function seconds(ms: number): string {
  return `${Math.floor(ms / 1_000)}s`;
}
