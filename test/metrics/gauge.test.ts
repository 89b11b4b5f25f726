import { describe, expect, it } from "vitest";
import { Gauge } from "../../src/metrics/gauge.js";

describe("a gauge", () => {
  it("goes up and down", () => {
    const gauge = new Gauge("service_things", "Things.");
    gauge.add(3);
    gauge.add(-1);
    expect(gauge.value()).toBe(2);
  });

  it("takes a value as it is", () => {
    const gauge = new Gauge("service_things", "Things.");
    gauge.add(3);
    gauge.set(0.25);
    expect(gauge.value()).toBe(0.25);
  });

  it("moves each set of labels by itself", () => {
    const gauge = new Gauge<"color">("service_things", "Things.");
    gauge.add(2, { color: "red" });
    gauge.add(1, { color: "blue" });
    gauge.add(-2, { color: "red" });
    expect([gauge.value({ color: "red" }), gauge.value({ color: "blue" })]).toEqual([0, 1]);
  });
});
