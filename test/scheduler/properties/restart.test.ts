import fc from "../../support/property-tests.js";
import { expect, it } from "vitest";
import { scenarioOf, specs } from "../../support/scheduler/random-plans.js";
import type { RunImage } from "../../support/scheduler/run-database.js";
import { checkAttempts, watch } from "../../support/scheduler/watched-run.js";

const finishedIn = (image: RunImage) =>
  Object.entries(image.nodes).flatMap(([key, row]) => (row.state === "finished" ? [key] : []));

const statesIn = (image: RunImage) =>
  Object.fromEntries(Object.entries(image.nodes).map(([key, row]) => [key, row.state]));

/** Where every loop and scope ended; of errors the message, which does not count attempts. */
const controlsIn = (image: RunImage) =>
  Object.fromEntries(
    Object.entries(image.controls).map(([id, control]) => [
      id,
      control.kind === "scope" ? { ...control, error: control.error?.message } : control,
    ]),
  );

it("keeps order and outputs when the process dies after any commit, whatever fails meanwhile", () => {
  fc.assert(
    fc.property(
      specs({ races: true }),
      fc.integer({ min: 1, max: 6 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (spec, maxConcurrency, moment) => {
        const scenario = scenarioOf(spec);
        const whole = watch(scenario, { maxConcurrency }).run;
        const at = Math.floor(moment * whole.images.length);
        const image = whole.images[at] as RunImage;
        const rest = watch(scenario, { maxConcurrency, image, now: whole.imageTimes[at] ?? 0 });
        expect(rest.complaints).toEqual([]);
        expect(checkAttempts(rest.run)).toEqual([]);
        expect(["finished", "failed"]).toContain(rest.stand.kind);
        expect(rest.stand).not.toMatchObject({ failure: { error: { code: "SCHEDULER_ERROR" } } });
        expect(finishedIn(rest.run.image)).toEqual(expect.arrayContaining(finishedIn(image)));
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 100) },
  );
});

it("ends the same when the process dies after any commit, if failures do not race", () => {
  fc.assert(
    fc.property(specs({ races: false }), fc.integer({ min: 1, max: 6 }), (spec, maxConcurrency) => {
      const scenario = scenarioOf(spec);
      const whole = watch(scenario, { maxConcurrency });
      whole.run.images.forEach((image, at) => {
        const now = whole.run.imageTimes[at] ?? 0;
        const rest = watch(scenario, { maxConcurrency, image, now });
        expect(rest.stand.kind).toBe(whole.stand.kind);
        expect(statesIn(rest.run.image)).toEqual(statesIn(whole.run.image));
        if (whole.stand.kind === "finished")
          expect(controlsIn(rest.run.image)).toEqual(controlsIn(whole.run.image));
        expect([...rest.run.image.outputs].sort()).toEqual([...whole.run.image.outputs].sort());
      });
    }),
    { numRuns: Number(process.env.RUNS ?? 30) },
  );
});
