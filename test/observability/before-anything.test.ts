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
  "before anything has run, $name is zero",
  ({ samples }) => {
    expect(samples.length).toBeGreaterThan(0);
    expect(samples.map(({ value }) => value).filter((value) => value !== 0)).toEqual([]);
  },
);

/** Of metrics whose labels have few values, all known; the others begin with one series without labels. */
const KNOWN: Record<string, number> = {
  service_external_wait_async_pending: 2,
  service_sandbox_active: 4,
  service_sandbox_created_total: 4,
  service_sandbox_completed_total: 12,
  service_schedule_occurrences_total: 4,
  service_webhook_deliveries_total: 4,
};

it.each(families)("before anything has run, $name has the series that are known beforehand", (family) => {
  const sets = new Set(
    family.samples.map(({ labels: { le: _, ...labels } }) => JSON.stringify(Object.entries(labels).sort())),
  );
  expect(sets.size).toBe(KNOWN[family.name] ?? 1);
  expect(sets.has("[]")).toBe(!(family.name in KNOWN));
});
