import { expect, it } from "vitest";
import { renderPrometheusMetrics, serviceMetrics } from "../../src/index.js";
import { parseExposition } from "./support/parse-exposition.js";

// Nothing runs in this file, so its process has nothing to count.

const families = [...parseExposition(renderPrometheusMetrics()).values()];

it("before anything has run, every metric is there", () => {
  expect(families.map(({ name }) => name).sort()).toEqual(
    Object.values(serviceMetrics)
      .map(({ name }) => name)
      .sort(),
  );
});

it.each(families.filter(({ name }) => !name.startsWith("service_process_")))(
  "before anything has run, $name is zero and has no labels",
  ({ samples }) => {
    expect(samples.map(({ value }) => value).filter((value) => value !== 0)).toEqual([]);
    const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
    labels.delete("le");
    expect([...labels]).toEqual([]);
  },
);
