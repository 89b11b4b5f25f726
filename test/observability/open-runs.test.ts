import { describe, expect, it } from "vitest";
import { OpenRuns } from "../../src/observability/open-runs.js";
import { changesOf, watchMetrics } from "./support/changes.js";

const gauges = ["service_runs_active", "service_nodes_active", "service_timers_pending"] as const;

describe("what is remembered of runs", () => {
  it("goes when a run is released in which nothing waits", () => {
    const changes = watchMetrics();
    const runs = new OpenRuns();
    runs.of("a").drive(0);
    runs.of("a").startAttempt("n::0", 0);
    expect(Object.values(changesOf(changes, ...gauges))).toEqual([1, 1, 0]);
    runs.release("a");
    expect(runs.size).toBe(0);
    expect(Object.values(changesOf(changes, ...gauges))).toEqual([0, 0, 0]);
  });

  it("stays while something in a parked run waits", () => {
    const changes = watchMetrics();
    const runs = new OpenRuns();
    runs.of("a").drive(0);
    runs.of("a").beginWait("timer", "n::0", 0);
    runs.release("a");
    expect(runs.size).toBe(1);
    expect(Object.values(changesOf(changes, ...gauges))).toEqual([0, 0, 1]);
    runs.of("a").endWait("n::0");
    expect(Object.values(changesOf(changes, ...gauges))).toEqual([0, 0, 0]);
  });

  it("is bounded: the oldest parked runs are forgotten, and what they waited for with them", () => {
    const changes = watchMetrics();
    const runs = new OpenRuns();
    runs.of("driven").drive(0);
    for (let at = 0; at < 10_050; at += 1) runs.of(`parked-${at}`).beginWait("timer", "n::0", 0);
    expect(runs.size).toBe(10_000);
    expect(changes.of("service_timers_pending")).toBe(9_999);
    expect(runs.of("driven").isDriven).toBe(true);
  });
});
