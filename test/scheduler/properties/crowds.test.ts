import { expect, it } from "vitest";
import { crowd, forEachCase } from "../../support/scheduler/scenarios.js";
import { checkLog, watch } from "../../support/scheduler/watched-run.js";

it("starts only what is mounted when the turn is over, however many tasks come and go in it", () => {
  forEachCase(300, crowd, ({ scenario, random }) => {
    const { run, complaints, stand } = watch(scenario, { maxConcurrency: random.int(1, 4) });
    expect(complaints).toEqual([]);
    expect(checkLog(run, scenario)).toEqual([]);
    expect(stand.kind).toBe("finished");
  });
});
