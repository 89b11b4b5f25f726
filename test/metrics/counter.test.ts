import { describe, expect, it } from "vitest";
import { Counter } from "../../src/metrics/counter.js";

describe("a counter", () => {
  it("adds up, by one by default", () => {
    const counter = new Counter("service_things", "Things.");
    counter.add();
    counter.add(2.5);
    expect(counter.value()).toBe(3.5);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("is not moved by %d", (by) => {
    const counter = new Counter("service_things", "Things.");
    counter.add(4);
    counter.add(by);
    expect(counter.value()).toBe(4);
  });

  it("counts each set of labels by itself, in whatever order they are named", () => {
    const counter = new Counter<"color" | "size">("service_things", "Things.");
    counter.add(1, { color: "red", size: "s" });
    counter.add(1, { size: "s", color: "red" });
    counter.add(5, { color: "red", size: "m" });
    expect(counter.value({ color: "red", size: "s" })).toBe(2);
    expect(counter.value({ color: "red", size: "m" })).toBe(5);
    expect(counter.value()).toBe(0);
  });

  it("makes no series when it is only read", () => {
    const counter = new Counter<"color">("service_things", "Things.");
    expect(counter.value({ color: "red" })).toBe(0);
    expect(counter.samples()).toEqual([{ suffix: "", labels: [], value: 0 }]);
  });
});
