import { expect, it } from "vitest";
import { calmWorkflow, crowd, forEachCase } from "../../support/scheduler/scenarios.js";
import { checkLog, watch } from "../../support/scheduler/watched-run.js";

it("never lets a task work without a slot, keeps none that it does not use, and comes to the same end as without", () => {
  const either = (seed: number) => (seed % 2 === 0 ? crowd(seed) : calmWorkflow(seed));
  forEachCase(300, either, ({ scenario, random }) => {
    const [maxConcurrency, slots] = [random.int(1, 4), random.int(1, 3)];
    const { run, complaints, stand } = watch(scenario, { maxConcurrency, slots });
    expect(complaints).toEqual([]);
    expect(checkLog(run, scenario)).toEqual([]);
    expect(["finished", "failed"]).toContain(stand.kind);
    expect(stand).not.toMatchObject({ failure: { error: { code: "SCHEDULER_ERROR" } } });
    expect([...run.state.nodes.values()].filter(({ slot }) => slot?.state === "held")).toEqual([]);
    expect(stand.kind).toBe(watch(scenario, { maxConcurrency }).stand.kind);
  });
});
