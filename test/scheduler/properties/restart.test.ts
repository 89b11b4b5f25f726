import { expect, it } from "vitest";
import { anyWorkflow, calmWorkflow, forEachCase } from "../../support/scheduler/scenarios.js";
import type { RunImage } from "../../support/scheduler/run-database.js";
import { checkLog, watch } from "../../support/scheduler/watched-run.js";

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
  forEachCase(200, anyWorkflow, ({ scenario, maxConcurrency, random }) => {
    const whole = watch(scenario, { maxConcurrency }).run;
    const at = random.int(0, whole.images.length - 1);
    const image = whole.images[at] as RunImage;
    const rest = watch(scenario, { maxConcurrency, image, now: whole.imageTimes[at] ?? 0 });
    expect(rest.complaints).toEqual([]);
    expect(checkLog(rest.run, scenario)).toEqual([]);
    expect(["finished", "failed"]).toContain(rest.stand.kind);
    expect(rest.stand).not.toMatchObject({ failure: { error: { code: "SCHEDULER_ERROR" } } });
    expect(finishedIn(rest.run.image)).toEqual(expect.arrayContaining(finishedIn(image)));
  });
});

it("ends the same when the process dies after any commit, if failures do not race", () => {
  forEachCase(90, calmWorkflow, ({ scenario, maxConcurrency }) => {
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
  });
});
