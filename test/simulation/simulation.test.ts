import { expect, test } from "vitest";
import { Simulation } from "./simulate.js";

const SEEDS = 12;
test("random workflows end the same with and without crashes", async () => {
  const simulation = new Simulation();
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { problems } = await simulation.seed(seed);
    expect(problems.join("\n")).toBe("");
  }
});

test("a few small workflows end the same no matter at which commit the crash comes", async () => {
  const simulation = new Simulation();
  for (let seed = 1; seed <= 1; seed += 1) {
    const { problems } = await simulation.seed(seed, { exhaustive: true });
    expect(problems.join("\n")).toBe("");
  }
});
