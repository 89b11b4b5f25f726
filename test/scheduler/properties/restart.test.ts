import { expect, it } from "vitest";
import { anyWorkflow, calmWorkflow, forEachCase } from "../../support/scheduler/scenarios.js";
import type { RunSnapshot } from "../../support/scheduler/run-database.js";
import { checkLog, watch } from "../../support/scheduler/watched-run.js";

const finishedIn = (runSnapshot: RunSnapshot) =>
  Object.entries(runSnapshot.nodes).flatMap(([key, row]) => (row.state === "finished" ? [key] : []));

const statesIn = (runSnapshot: RunSnapshot) =>
  Object.fromEntries(Object.entries(runSnapshot.nodes).map(([key, row]) => [key, row.state]));

/** Where every loop and scope ended; of errors the message, which does not count attempts. */
const controlsIn = (runSnapshot: RunSnapshot) =>
  Object.fromEntries(
    Object.entries(runSnapshot.controls).map(([id, control]) => [
      id,
      control.kind === "scope" ? { ...control, error: control.error?.message } : control,
    ]),
  );

it("keeps order and outputs when the process dies after any commit, whatever fails meanwhile", () => {
  forEachCase(200, anyWorkflow, ({ scenario, maxConcurrency, random }) => {
    const whole = watch(scenario, { maxConcurrency }).run;
    const at = random.int(0, whole.images.length - 1);
    const runSnapshot = whole.images[at] as RunSnapshot;
    const rest = watch(scenario, { maxConcurrency, runSnapshot, now: whole.imageTimes[at] ?? 0 });
    expect(rest.complaints).toEqual([]);
    expect(checkLog(rest.run, scenario)).toEqual([]);
    expect(["finished", "failed"]).toContain(rest.stand.kind);
    expect(rest.stand).not.toMatchObject({ failure: { error: { code: "SCHEDULER_ERROR" } } });
    expect(finishedIn(rest.run.runSnapshot)).toEqual(expect.arrayContaining(finishedIn(runSnapshot)));
  });
});

it("ends the same when the process dies after any commit, if failures do not race", () => {
  forEachCase(90, calmWorkflow, ({ scenario, maxConcurrency }) => {
    const whole = watch(scenario, { maxConcurrency });
    whole.run.images.forEach((runSnapshot, at) => {
      const now = whole.run.imageTimes[at] ?? 0;
      const rest = watch(scenario, { maxConcurrency, runSnapshot, now });
      expect(rest.stand.kind).toBe(whole.stand.kind);
      expect(statesIn(rest.run.runSnapshot)).toEqual(statesIn(whole.run.runSnapshot));
      if (whole.stand.kind === "finished")
        expect(controlsIn(rest.run.runSnapshot)).toEqual(controlsIn(whole.run.runSnapshot));
      expect([...rest.run.runSnapshot.outputs].sort()).toEqual([...whole.run.runSnapshot.outputs].sort());
    });
  });
});
