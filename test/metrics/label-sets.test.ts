import { describe, expect, it } from "vitest";
import { Counter } from "../../src/metrics/counter.js";
import { MOST_SERIES } from "../../src/metrics/series.js";

const counter = () => new Counter<"agent" | "model">("service_asked", "Questions.");

describe("labels", () => {
  it("stop at a number of series; what comes later is counted together", () => {
    const metric = counter();
    for (let n = 0; n < MOST_SERIES + 50; n += 1) metric.add(1, { agent: `agent-${n}`, model: "m" });
    expect(metric.samples()).toHaveLength(MOST_SERIES + 1);
    expect(metric.value({ agent: "other", model: "other" })).toBe(50);
    expect(metric.value({ agent: "agent-0", model: "m" })).toBe(1);
  });

  it("that are known continue being counted by themselves after that", () => {
    const metric = counter();
    for (let n = 0; n < MOST_SERIES + 50; n += 1) metric.add(1, { agent: `agent-${n}` });
    metric.add(1, { agent: "agent-0" });
    expect(metric.value({ agent: "agent-0" })).toBe(2);
  });

  it("are cut when they are long", () => {
    const metric = counter();
    metric.add(1, { agent: "x".repeat(10_000) });
    expect(metric.samples().map(({ labels }) => labels.map(([, value]) => value.length))).toEqual([[120]]);
  });

  it("are left out when they are empty or unknown", () => {
    const metric = counter();
    metric.add(1, { agent: "writer", model: "" });
    metric.add(1, { agent: "writer" });
    expect(metric.samples()).toEqual([{ suffix: "", labels: [["agent", "writer"]], value: 2 }]);
  });

  it("do not mix when their values contain what separates others", () => {
    const metric = counter();
    metric.add(1, { agent: 'a","model":"b' });
    metric.add(1, { agent: "a", model: "b" });
    expect(metric.samples()).toHaveLength(2);
  });

  it("take the place of the series without labels, unless that was used", () => {
    const metric = counter();
    metric.add(1, { agent: "writer" });
    expect(metric.samples()).toHaveLength(1);
    metric.add();
    expect(metric.samples()).toHaveLength(2);
  });
});
