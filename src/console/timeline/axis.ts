/** A stretch of time with its place on the axis, from 0 to 1. */
export interface Stretch {
  fromMs: number;
  toMs: number;
  from: number;
  to: number;
  /** Nothing was at work: however long it took, it is drawn short. */
  isIdle: boolean;
}

export interface TimeAxis {
  stretches: readonly Stretch[];
  /** The place of a moment; those before and after the run are its ends. */
  at(ms: number): number;
  /** The moment of a place, epoch ms. */
  momentAt(share: number): number;
}

/** Of the axis, for each idle stretch. */
const IDLE_SHARE = 0.04;
/** Shorter ones stay as they are. */
const SHORTEST_IDLE_MS = 2_000;

interface Span {
  startedAtMs: number;
  finishedAtMs: number | null;
  /** Null for a wait. */
  attempt: number | null;
  /** Before its beginning. */
  queuedMs: number;
}

/** One axis for all spans. Stretches without an attempt that are long beside the work are drawn short; `nowMs` ends what continues. */
export function timeAxis(spans: readonly Span[], nowMs: number): TimeAxis {
  const startMs = spans.reduce(
    (least, { startedAtMs, queuedMs }) => Math.min(least, startedAtMs - queuedMs),
    spans[0]?.startedAtMs ?? nowMs,
  );
  const endMs = spans.reduce((most, { finishedAtMs }) => Math.max(most, finishedAtMs ?? nowMs), startMs);
  const busy = busyTimes(spans, nowMs);
  const busyMs = busy.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const longMs = Math.max(SHORTEST_IDLE_MS, busyMs * 0.25);
  const parts: Pick<Stretch, "fromMs" | "toMs" | "isIdle">[] = [];
  let reachedMs = startMs;
  const add = (toMs: number, isIdle: boolean) => {
    const last = parts.at(-1);
    if (toMs <= reachedMs) return;
    if (last !== undefined && !last.isIdle && !isIdle) last.toMs = toMs;
    else parts.push({ fromMs: reachedMs, toMs, isIdle });
    reachedMs = toMs;
  };
  for (const { fromMs, toMs } of busy) {
    add(fromMs, fromMs - reachedMs > longMs);
    add(toMs, false);
  }
  add(endMs, endMs - reachedMs > longMs);
  return placed(parts, startMs);
}

function busyTimes(spans: readonly Span[], nowMs: number): { fromMs: number; toMs: number }[] {
  const times: { fromMs: number; toMs: number }[] = [];
  const attempts = spans.filter(({ attempt }) => attempt !== null);
  for (const { startedAtMs, finishedAtMs } of attempts.toSorted((a, b) => a.startedAtMs - b.startedAtMs)) {
    const last = times.at(-1);
    const toMs = Math.max(startedAtMs, finishedAtMs ?? nowMs);
    if (last !== undefined && startedAtMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs);
    else times.push({ fromMs: startedAtMs, toMs });
  }
  return times;
}

function placed(parts: readonly Pick<Stretch, "fromMs" | "toMs" | "isIdle">[], startMs: number): TimeAxis {
  const idle = parts.filter(({ isIdle }) => isIdle).length;
  const workMs = parts.reduce((sum, { fromMs, toMs, isIdle }) => sum + (isIdle ? 0 : toMs - fromMs), 0);
  // Many of them share half of the axis; without work there is nothing else on it.
  const share = workMs === 0 ? 1 / Math.max(1, idle) : Math.min(IDLE_SHARE, 0.5 / Math.max(1, idle));
  const rest = 1 - idle * share;
  let reached = 0;
  const stretches = parts.map((part) => {
    const from = reached;
    reached += part.isIdle ? share : ((part.toMs - part.fromMs) / workMs) * rest;
    return { ...part, from, to: Math.min(1, reached) };
  });
  return {
    stretches,
    at(ms) {
      if (ms <= startMs) return 0;
      const stretch = stretches.find(({ toMs }) => ms <= toMs);
      if (stretch === undefined) return stretches.length === 0 ? 0 : 1;
      const { fromMs, toMs, from, to } = stretch;
      return from + ((ms - fromMs) / (toMs - fromMs)) * (to - from);
    },
    momentAt(share) {
      const stretch = stretches.find(({ to }) => share <= to) ?? stretches.at(-1);
      if (stretch === undefined) return startMs;
      const { fromMs, toMs, from, to } = stretch;
      return fromMs + Math.min(1, Math.max(0, (share - from) / (to - from))) * (toMs - fromMs);
    },
  };
}
