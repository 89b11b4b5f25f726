import { expect, test } from "vitest";
import { travelEverywhere } from "./travel.js";

const SEEDS = 4;

test("a run made of any frame of another one comes to the same, and leaves that as it was", async () => {
  let frames = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const report = await travelEverywhere(seed);
    expect(report.problems.join("\n")).toBe("");
    frames += report.frames;
  }
  expect(frames).toBeGreaterThan(12);
});
