import { expect, it } from "vitest";
import { criticalPath } from "../../../src/console/timeline/critical-path.js";

const span = (seq: number, startedAtMs: number, finishedAtMs: number | null) => ({
  seq,
  startedAtMs,
  finishedAtMs,
});

it("goes from the last end back to what ended last before each beginning", () => {
  const spans = [span(1, 0, 10), span(2, 10, 40), span(3, 10, 90), span(4, 91, 95), span(5, 91, 120)];
  expect([...criticalPath(spans, 0)].toSorted()).toEqual([1, 3, 5]);
});

it("ends with what continues, and knows waits and spans of no length", () => {
  const spans = [span(1, 0, 10), span(2, 10, 10), span(3, 10, null), span(4, 11, 30)];
  expect([...criticalPath(spans, 100)].toSorted()).toEqual([1, 2, 3]);
  expect(criticalPath([], 0).size).toBe(0);
});
