import { expect, test } from "vitest";
import { STORES } from "./open-store.js";
import { Simulation } from "./simulate.js";

/** A few of each store. `npm run simulate -- --store …` has more. */
const SEEDS = { sqlite: [1, 2, 3, 4, 5, 6, 7], postgres: [3], pglite: [5] };

test.each(STORES)("random workflows end the same with and without crashes, on %s", async (store) => {
  const simulation = new Simulation(store);
  for (const seed of SEEDS[store]) {
    const { problems } = await simulation.seed(seed);
    expect(problems.join("\n")).toBe("");
  }
  await simulation.close();
});

test("a few small workflows end the same no matter at which commit the crash comes", async () => {
  const simulation = new Simulation();
  const { problems } = await simulation.seed(1, { exhaustive: true });
  expect(problems.join("\n")).toBe("");
  await simulation.close();
});
