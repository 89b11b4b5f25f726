import fc from "../../support/property-tests.js";
import { expect, it } from "vitest";
import { crowds, scenarioOf } from "../../support/scheduler/random-plans.js";
import { checkAttempts, watch } from "../../support/scheduler/watched-run.js";

it("starts only what is mounted when the turn is over, however many tasks come and go in it", () => {
  fc.assert(
    fc.property(crowds, fc.integer({ min: 1, max: 4 }), (spec, maxConcurrency) => {
      const { run, complaints, stand } = watch(scenarioOf(spec), { maxConcurrency });
      expect(complaints).toEqual([]);
      expect(checkAttempts(run)).toEqual([]);
      expect(stand.kind).toBe("finished");
    }),
    { numRuns: Number(process.env.RUNS ?? 300) },
  );
});
