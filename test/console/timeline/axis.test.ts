import { expect, it } from "vitest";
import { timeAxis } from "../../../src/console/timeline/axis.js";

const attempt = (startedAtMs: number, finishedAtMs: number | null) => ({
  startedAtMs,
  finishedAtMs,
  attempt: 1,
  queuedMs: 0,
});
const wait = (startedAtMs: number, finishedAtMs: number | null) => ({
  ...attempt(startedAtMs, finishedAtMs),
  attempt: null,
});

it("draws work in proportion, and a short pause as it was", () => {
  const axis = timeAxis([attempt(1_000, 5_000), attempt(6_000, 11_000)], 0);
  expect(axis.stretches).toEqual([{ fromMs: 1_000, toMs: 11_000, from: 0, to: 1, isIdle: false }]);
  expect(axis.at(6_000)).toBeCloseTo(0.5);
});

it("draws a long wait short, and the work on both sides of it in proportion", () => {
  const day = 86_400_000;
  const axis = timeAxis([attempt(0, 3_000), wait(3_000, day), attempt(day, day + 1_000)], 0);
  expect(axis.stretches.map(({ isIdle }) => isIdle)).toEqual([false, true, false]);
  const [before, idle, after] = axis.stretches.map(({ from, to }) => to - from);
  expect(idle).toBeLessThan(0.1);
  expect((before ?? 0) / (after ?? 1)).toBeCloseTo(3);
  expect(axis.at(day / 2)).toBeGreaterThan(axis.at(3_000));
  expect(axis.at(day / 2)).toBeLessThan(axis.at(day));
});

it("ends with now what continues", () => {
  const spans = [attempt(0, 10_000), attempt(5_000, null)];
  expect(timeAxis(spans, 12_000).at(12_000)).toBe(1);
  expect(timeAxis(spans, 20_000).at(12_000)).toBeCloseTo(0.6);
});

it("has a place for every moment of any spans, in their order", () => {
  const waits = Array.from({ length: 50 }, (_, n) => attempt(n * 100_000, n * 100_000 + 10));
  for (const spans of [[], [wait(5, 5)], [attempt(7, 7)], [wait(0, 90_000)], waits]) {
    const axis = timeAxis(spans, 100);
    const places = [-1, 0, 7, 50, 100, 90_000, 4_000_000, 9_000_000].map((ms) => axis.at(ms));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    for (const place of places) expect(place >= 0 && place <= 1).toBe(true);
  }
});
