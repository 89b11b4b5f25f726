import { expect } from "vitest";
import type { ReceivedSpan } from "./collector.js";

/**
 * What must hold of the spans of one run, its child runs included: one trace, whose spans have their parents in it
 * and lie within their times.
 * @returns the root
 */
export function expectTree(spans: readonly ReceivedSpan[]): ReceivedSpan {
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === "");
  expect(roots.map(({ name }) => name)).toHaveLength(1);
  expectNested(spans);
  return roots[0] as ReceivedSpan;
}

/** As expectTree, of runs that have ended more than once, or whose caller's span is not among the spans. */
export function expectNested(spans: readonly ReceivedSpan[], caller?: string): void {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const named = spans.map(({ name, spanId }) => `${name} ${spanId}`);
  expect(new Set(named).size, "each span arrives once").toBe(spans.length);
  expect(new Set(spans.map(({ traceId }) => traceId)).size, "one trace").toBe(1);
  const problems = spans.flatMap(({ name, parentSpanId, startMs, endMs }) => {
    if (parentSpanId === "" || parentSpanId === caller) return [];
    const parent = byId.get(parentSpanId);
    if (parent === undefined) return [`${name} has no parent`];
    const isWithin = parent.startMs <= startMs && startMs <= endMs && endMs <= parent.endMs;
    if (isWithin) return [];
    return [`${name} ${startMs}-${endMs} is not within ${parent.name} ${parent.startMs}-${parent.endMs}`];
  });
  expect(problems).toEqual([]);
}
