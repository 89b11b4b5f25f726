import { renderPrometheusMetrics } from "../../../src/index.js";
import { serviceMetrics } from "../../../src/metrics/catalog.js";
import { exposition } from "../../../src/observability/prometheus.js";
import { parseExposition } from "./parse-exposition.js";

/** What has changed in the metrics of this process since it was made. */
export interface MetricChanges {
  /** By how much: a name as it is printed, with the labels that a line must have. */
  of(name: string, labels?: Record<string, string>): number;
  /** Names, as they are printed, whose lines add up to something else. */
  names(): ReadonlySet<string>;
}

/** Metrics are of the whole process, so tests look at differences. */
export function watchMetrics(): MetricChanges {
  renderPrometheusMetrics();
  const before = readAll(false);
  return {
    of(name, labels = {}) {
      const sum = (lines: typeof before) =>
        lines
          .filter((line) => line.name === name)
          .filter((line) => Object.entries(labels).every(([label, value]) => line.labels[label] === value))
          .reduce((total, { value }) => total + value, 0);
      const after = readAll(WAITS.has(name));
      if (!after.some((line) => line.name === name)) throw new Error(`There is no ${name}.`);
      return sum(after) - sum(before);
    },
    names() {
      const sums = new Map<string, number>();
      const add = (lines: typeof before, sign: number) => {
        for (const { name, value } of lines) sums.set(name, (sums.get(name) ?? 0) + sign * value);
      };
      add(before, -1);
      add(readAll(true), 1);
      return new Set([...sums].filter(([, sum]) => sum !== 0).map(([name]) => name));
    },
  };
}

/** As watchMetrics, for several names at once. */
export function changesOf(changes: ReturnType<typeof watchMetrics>, ...names: string[]) {
  return Object.fromEntries(names.map((name) => [name, changes.of(name)]));
}

/** What is asked of databases when it is shown. */
const WAITS: ReadonlySet<string> = new Set([
  "service_approval_pending",
  "service_external_wait_async_pending",
  "service_timers_pending",
]);

/**
 * All lines. What waits is asked for after everything else was read: databases of other tests are asked as well, and
 * that would count as reads of this one.
 */
function readAll(withWaits: boolean) {
  const others = linesOf(exposition(Object.values(serviceMetrics)));
  if (!withWaits) return others;
  const waits = linesOf(renderPrometheusMetrics()).filter(({ name }) => WAITS.has(name));
  return [...others.filter(({ name }) => !WAITS.has(name)), ...waits];
}

function linesOf(text: string) {
  return [...parseExposition(text).values()].flatMap(({ samples }) => samples);
}
