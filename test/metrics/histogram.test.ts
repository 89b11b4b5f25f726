import { describe, expect, it } from "vitest";
import { Histogram } from "../../src/metrics/histogram.js";

const histogram = () => new Histogram("service_size", "Size.", { bounds: [1, 10, 100] });

/** Values of the buckets, by upper bound. */
function bucketsOf(metric: Histogram): Record<string, number> {
  return Object.fromEntries(
    metric
      .samples()
      .filter(({ suffix }) => suffix === "_bucket")
      .map(({ labels, value }) => [Object.fromEntries(labels)["le"], value]),
  );
}

describe("a histogram", () => {
  it("counts in each bucket what is at most its bound, everything below included", () => {
    const metric = histogram();
    for (const value of [0.5, 1, 1.5, 10, 99, 100.5]) metric.observe(value);
    expect(bucketsOf(metric)).toEqual({ "1": 2, "10": 4, "100": 5, "+Inf": 6 });
  });

  it("knows the number and the sum of its values", () => {
    const metric = histogram();
    for (const value of [2, 3, 1000]) metric.observe(value);
    expect([metric.count(), metric.sum()]).toEqual([3, 1005]);
  });

  it("takes a negative value, as from a clock that was set back, for zero", () => {
    const metric = histogram();
    metric.observe(-5000);
    expect(bucketsOf(metric)).toEqual({ "1": 1, "10": 1, "100": 1, "+Inf": 1 });
    expect(metric.sum()).toBe(0);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("drops %d", (value) => {
    const metric = histogram();
    metric.observe(value);
    expect([metric.count(), metric.sum()]).toEqual([0, 0]);
  });
});
