interface Span {
  seq: number;
  startedAtMs: number;
  finishedAtMs: number | null;
}

/**
 * Numbers of the spans that the end of the run has waited for: from the one that ends last, back to the one that ended last before
 * it began, and so on. What is not among them could have taken longer, and the run no more time.
 */
export function criticalPath(spans: readonly Span[], nowMs: number): ReadonlySet<number> {
  const endOf = ({ finishedAtMs }: Span) => finishedAtMs ?? nowMs;
  const byEnd = spans.toSorted((a, b) => endOf(a) - endOf(b) || a.seq - b.seq);
  const path = new Set<number>();
  let reachedMs = Number.POSITIVE_INFINITY;
  for (const span of byEnd.toReversed()) {
    if (endOf(span) > reachedMs) continue;
    path.add(span.seq);
    reachedMs = span.startedAtMs;
  }
  return path;
}
