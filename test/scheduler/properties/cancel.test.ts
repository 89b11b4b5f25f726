import { expect, it } from "vitest";
import { anyWorkflow, forEachCase } from "../../support/scheduler/scenarios.js";
import { checkLog, watch } from "../../support/scheduler/watched-run.js";

it("ends a run that is cancelled at any moment, and starts nothing after that", () => {
  forEachCase(120, anyWorkflow, ({ scenario, random }) => {
    const whole = watch(scenario).run;
    const at = random.int(0, whole.images.length - 1);
    const run = whole.restart(whole.images[at], { now: whole.imageTimes[at] ?? 0 });
    const before = run.started.length;
    const isOver = run.disposition.kind === "finished" || run.disposition.kind === "failed";
    run.send({ kind: "cancel", reason: "enough" });
    if (isOver) return;
    expect(run.play()).toEqual({ kind: "cancelled", reason: "enough" });
    expect(run.started).toHaveLength(before);
    expect(checkLog(run, scenario)).toEqual([]);
    for (const { nodeId, state } of Object.values(run.runSnapshot.nodes)) {
      const ended = /^(finished|skipped|failed|cancelled)$/;
      expect([nodeId, state]).toEqual([nodeId, expect.stringMatching(ended)]);
    }
  });
});
