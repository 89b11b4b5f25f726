import fc from "../../support/property-tests.js";
import { expect, it } from "vitest";
import { scenarioOf, specs } from "../../support/scheduler/random-plans.js";
import { checkAttempts, watch } from "../../support/scheduler/watched-run.js";

it("starts tasks in order, within every cap, as soon as there is room, and comes to an end", () => {
  fc.assert(
    fc.property(specs({ races: true }), fc.integer({ min: 1, max: 6 }), (spec, maxConcurrency) => {
      const { run, complaints, stand } = watch(scenarioOf(spec), { maxConcurrency });
      expect(complaints).toEqual([]);
      expect(checkAttempts(run)).toEqual([]);
      expect(["finished", "failed"]).toContain(stand.kind);
      // No plan of this kind can deadlock.
      expect(stand).not.toMatchObject({ failure: { error: { code: "SCHEDULER_ERROR" } } });
      if (stand.kind !== "finished") return;
      for (const { row, task } of run.state.nodes.values()) {
        const ended = task === null ? /^(finished|failed|skipped|cancelled)$/ : /^(finished|failed|skipped)$/;
        expect([row.nodeId, row.state]).toEqual([row.nodeId, expect.stringMatching(ended)]);
      }
    }),
    { numRuns: Number(process.env.RUNS ?? 150) },
  );
});
