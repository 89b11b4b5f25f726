import { expect, it } from "vitest";
import { createState } from "../../../src/scheduler/state.js";
import { step } from "../../../src/scheduler/step.js";
import { emptyImage, seedOf } from "../../support/scheduler/run-database.js";
import { anyWorkflow, forEachCase } from "../../support/scheduler/scenarios.js";
import { watch } from "../../support/scheduler/watched-run.js";

it("answers equal events at equal times with equal commands", () => {
  forEachCase(120, anyWorkflow, ({ scenario, maxConcurrency }) => {
    const { exchanges, setup } = watch(scenario, { maxConcurrency }).run;
    const state = createState(seedOf(setup.runSnapshot ?? emptyImage(), { maxConcurrency }));
    for (const { event, now, commands } of exchanges) {
      expect(step(state, event, now)).toEqual(commands);
    }
  });
});

it("moves on with every turn: an ended task stays as it is, an attempt number only grows", () => {
  forEachCase(120, anyWorkflow, ({ scenario, maxConcurrency }) => {
    const { images } = watch(scenario, { maxConcurrency }).run;
    images.forEach((runSnapshot, index) => {
      for (const [key, row] of Object.entries(images[index - 1]?.nodes ?? {})) {
        const now = runSnapshot.nodes[key];
        expect(now?.lastAttempt).toBeGreaterThanOrEqual(row.lastAttempt);
        if (["finished", "skipped", "failed"].includes(row.state)) expect(now?.state).toBe(row.state);
      }
      for (const [id, control] of Object.entries(images[index - 1]?.controls ?? {})) {
        expect([id, progressOf(runSnapshot.controls[id])]).toEqual([
          id,
          expect.toSatisfy((after) => after >= progressOf(control)),
        ]);
      }
    });
  });
});

const PHASES = ["body", "recover", "finally", "done"];

function progressOf(control: ReturnType<typeof emptyImage>["controls"][string] | undefined): number {
  if (control === undefined) return -1;
  if (control.kind === "scope") return PHASES.indexOf(control.phase);
  if (control.kind !== "loop") return 0;
  return control.iteration + (control.done ? 0.5 : 0);
}
