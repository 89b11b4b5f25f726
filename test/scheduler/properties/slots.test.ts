import fc from "../../support/property-tests.js";
import { expect, it } from "vitest";
import { crowds, scenarioOf, specs } from "../../support/scheduler/random-plans.js";
import { checkAttempts, watch } from "../../support/scheduler/watched-run.js";

it("never lets a task work without a slot, keeps none that it does not use, and comes to the same end as without", () => {
  fc.assert(
    fc.property(
      fc.oneof(specs({ races: false }), crowds),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 3 }),
      (spec, maxConcurrency, slots) => {
        const { run, complaints, stand } = watch(scenarioOf(spec), { maxConcurrency, slots });
        expect(complaints).toEqual([]);
        expect(checkAttempts(run)).toEqual([]);
        expect(["finished", "failed"]).toContain(stand.kind);
        expect(stand).not.toMatchObject({ failure: { error: { code: "SCHEDULER_ERROR" } } });
        expect([...run.state.nodes.values()].filter(({ slot }) => slot?.state === "held")).toEqual([]);
        expect(stand.kind).toBe(watch(scenarioOf(spec), { maxConcurrency }).stand.kind);
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 150) },
  );
});
