import { expect, it } from "vitest";
import { anyWorkflow, forEachCase } from "../../support/scheduler/scenarios.js";
import { checkLog, watch } from "../../support/scheduler/watched-run.js";

it("starts tasks in order, within every cap, as soon as there is room, and comes to an end", () => {
  forEachCase(300, anyWorkflow, ({ scenario, maxConcurrency }) => {
    const { run, complaints, stand } = watch(scenario, { maxConcurrency });
    expect(complaints).toEqual([]);
    expect(checkLog(run, scenario)).toEqual([]);
    expect(["finished", "failed"]).toContain(stand.kind);
    // No plan of this kind can deadlock.
    expect(stand).not.toMatchObject({ failure: { error: { code: "SCHEDULER_ERROR" } } });
    if (stand.kind !== "finished") return;
    for (const { row, task } of run.state.nodes.values()) {
      const ended = task === null ? /^(finished|failed|skipped|cancelled)$/ : /^(finished|failed|skipped)$/;
      expect([row.nodeId, row.state]).toEqual([row.nodeId, expect.stringMatching(ended)]);
    }
  });
});
