import { expect, it } from "vitest";
import { OpenRuns } from "../../src/observability/open-runs.js";
import { changesOf, watchMetrics } from "./support/changes.js";

const gauges = ["service_runs_active", "service_nodes_active"] as const;

it("nothing is remembered of a run that this process drives no longer", () => {
  const changes = watchMetrics();
  const runs = new OpenRuns();
  runs.of("a").drive(0);
  runs.of("a").startAttempt("n::0", 0);
  expect(Object.values(changesOf(changes, ...gauges))).toEqual([1, 1]);
  runs.drop("a");
  expect(runs.size).toBe(0);
  expect(Object.values(changesOf(changes, ...gauges))).toEqual([0, 0]);
});
