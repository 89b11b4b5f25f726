import { expect, test } from "vitest";
import { travelEverywhere } from "./travel.js";

const SEEDS = 4;

test("a run that goes back to any of its frames comes to the same again", async () => {
  let frames = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const report = await travelEverywhere(seed, "rewind");
    expect(report.problems.join("\n")).toBe("");
    frames += report.frames;
  }
  expect(frames).toBeGreaterThan(6);
});
