/** @jsxImportSource react */
import { useEffect, useState } from "react";
import type { DamagedRun } from "../operations/index.js";
import { hiddenName, replaceHidden } from "../util/hidden-characters.js";

/** Text that others have written: invisible characters, or that turn text around, get names. */
export function shown(text: string): string {
  return replaceHidden(text, hiddenName);
}

const STATES: Readonly<Record<string, [icon: string, tone: string]>> = {
  running: ["▶", "busy"],
  "in-progress": ["▶", "busy"],
  pending: ["○", "idle"],
  queued: ["○", "idle"],
  stale: ["⚠", "bad"],
  orphaned: ["⚠", "bad"],
  stopped: ["■", "wait"],
  succeeded: ["✓", "good"],
  finished: ["✓", "good"],
  continued: ["✓", "good"],
  failed: ["✗", "bad"],
  cancelled: ["⊘", "idle"],
  skipped: ["↷", "idle"],
};

/** A state as icon and text: never by colour alone. */
export function State({ state }: { state: string }) {
  const [icon, tone] = STATES[state] ?? ["⏸", "wait"];
  return (
    <span className={`state ${tone}`}>
      <span aria-hidden="true">{icon}</span> {state.replace("-", " ")}
    </span>
  );
}

/** A moment, as the reader's own clock has it. */
export function Moment({ at }: { at: number }) {
  const date = new Date(at);
  return <time dateTime={date.toISOString()}>{date.toLocaleString()}</time>;
}

/** Time since a moment, in one unit; it continues by itself. */
export function Since({ at, until }: { at: number; until?: number | null }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (until != null) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return <>{span(Math.max(0, (until ?? now) - at))}</>;
}

function span(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** Runs that the gateway cannot read; nothing where all is well. */
export function Damage({ damaged = [] }: { damaged?: readonly DamagedRun[] | undefined }) {
  return damaged.map(({ runId, damage }) => (
    <p key={runId} className="problem">
      ✗ <code>{shown(runId)}</code> cannot be read: {shown(damage.message)}
    </p>
  ));
}

export interface ReadState {
  error: Error | undefined;
  isLoading: boolean;
  isStale: boolean;
  updatedAtMs?: number | null;
}

/** The state of the reading itself: it is under way, it failed, or what is shown is old. */
export function Reading({ error, isLoading, isStale, updatedAtMs }: ReadState) {
  if (isLoading) return <p className="hint">Loading…</p>;
  if (isStale) {
    return (
      <p className="problem" role="status">
        ⚠ Out of date{updatedAtMs != null && <> since {new Date(updatedAtMs).toLocaleTimeString()}</>}:{" "}
        {error === undefined ? "the connection is lost." : shown(error.message)} It is tried again.
      </p>
    );
  }
  if (error === undefined) return null;
  return (
    <p className="problem" role="alert">
      ✗ {shown(error.message)}
    </p>
  );
}
