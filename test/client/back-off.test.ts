import { expect, it } from "vitest";
import { backOffMs } from "../../src/client/back-off.js";

it("doubles the wait with every failure, up to the longest, with half of it left to chance", () => {
  const least = (failures: number) => backOffMs(failures, 0, { minDelayMs: 100, maxDelayMs: 1_000 });
  const most = (failures: number) => backOffMs(failures, 1, { minDelayMs: 100, maxDelayMs: 1_000 });
  expect([1, 2, 3, 4, 5, 500].map(least)).toEqual([50, 100, 200, 400, 500, 500]);
  expect([1, 2, 3, 4, 5, 500].map(most)).toEqual([100, 200, 400, 800, 1_000, 1_000]);
});
