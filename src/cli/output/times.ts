import { formatDuration } from "../../util/duration.js";
import { instantText } from "../../util/instant-text.js";

/** `00:01:23`; hours grow beyond two digits. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

/** `3m 05s ago`; empty for an unknown time. */
export function agoText(atMs: number | null | undefined, nowMs: number): string {
  return atMs === null || atMs === undefined ? "" : `${formatDuration(Math.max(0, nowMs - atMs))} ago`;
}

/** `for 3m 05s`: how long something has lasted. */
export function forText(sinceMs: number, nowMs: number): string {
  return `for ${formatDuration(Math.max(0, nowMs - sinceMs))}`;
}

/** The process that drives a run takes up what is due in this time. */
const PROMPT_MS = 5_000;

/** `in 2h 10m`, `now` once it is due, or `3m 05s ago` where no process has taken it up. */
export function untilText(atMs: number, nowMs: number): string {
  if (atMs > nowMs) return `in ${formatDuration(atMs - nowMs)}`;
  return nowMs - atMs < PROMPT_MS ? "now" : agoText(atMs, nowMs);
}

/** `2026-11-22T06:00:00Z, in 2h 10m`: a time to plan by, and how far away or past it is. */
export function deadlineText(atMs: number, nowMs: number): string {
  return `${instantText(atMs).replace(/\.\d+Z$/, "Z")}, ${untilText(atMs, nowMs)}`;
}
