import fc from "../../support/property-tests.js";
import { expect, it } from "vitest";
import { scenarioOf, specs } from "../../support/scheduler/random-plans.js";
import { checkAttempts, watch } from "../../support/scheduler/watched-run.js";

it("ends a run that is cancelled at any moment, and starts nothing after that", () => {
  fc.assert(
    fc.property(
      specs({ races: true }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (spec, moment) => {
        const scenario = scenarioOf(spec);
        const whole = watch(scenario).run;
        const at = Math.floor(moment * whole.images.length);
        const run = whole.restart(whole.images[at], { now: whole.imageTimes[at] ?? 0 });
        const before = run.started.length;
        const isOver = run.standing.kind === "finished" || run.standing.kind === "failed";
        run.send({ kind: "cancel", reason: "enough" });
        if (isOver) return;
        expect(run.play()).toEqual({ kind: "cancelled", reason: "enough" });
        expect(run.started).toHaveLength(before);
        expect(checkAttempts(run)).toEqual([]);
        for (const { nodeId, state } of Object.values(run.image.nodes)) {
          const ended = /^(finished|skipped|failed|cancelled)$/;
          expect([nodeId, state]).toEqual([nodeId, expect.stringMatching(ended)]);
        }
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 60) },
  );
});
