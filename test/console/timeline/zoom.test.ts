import { expect, it } from "vitest";
import { timeAxis } from "../../../src/console/timeline/axis.js";
import { moved, partOf, WHOLE, zoomed } from "../../../src/console/timeline/zoom.js";

it("keeps the place under the pointer while it zooms, and never leaves the run", () => {
  const part = zoomed(WHOLE, 4, 0.75);
  expect(part.to - part.from).toBeCloseTo(0.25);
  expect(part.from + 0.75 * 0.25).toBeCloseTo(0.75);
  expect(zoomed(part, 0.01, 0.5)).toEqual(WHOLE);
  expect(zoomed(WHOLE, 2, 0)).toEqual({ from: 0, to: 0.5 });
  expect(moved({ from: 0, to: 0.5 }, -3)).toEqual({ from: 0, to: 0.5 });
  expect(moved({ from: 0, to: 0.5 }, 3)).toEqual({ from: 0.5, to: 1 });
});

it("draws the part of the axis over all of its width, and names the moment of each place", () => {
  const attempt = { startedAtMs: 1_000, finishedAtMs: 5_000, attempt: 1, queuedMs: 0 };
  const axis = partOf(timeAxis([attempt], 0), { from: 0.5, to: 1 });
  expect(axis.at(3_000)).toBeCloseTo(0);
  expect(axis.at(5_000)).toBeCloseTo(1);
  expect(axis.at(1_000)).toBeLessThan(0);
  expect(axis.momentAt(0.5)).toBeCloseTo(4_000);
});
