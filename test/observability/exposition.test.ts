import { describe, expect, it } from "vitest";
import { prometheusContentType, renderPrometheusMetrics, serviceMetrics } from "../../src/index.js";
import { Counter } from "../../src/metrics/counter.js";
import { Gauge } from "../../src/metrics/gauge.js";
import { Histogram } from "../../src/metrics/histogram.js";
import { exposition } from "../../src/observability/prometheus.js";
import { type ParsedFamily, parseExposition } from "./support/parse-exposition.js";

const familiesOfProcess = () => parseExposition(renderPrometheusMetrics());

describe("the text", () => {
  it("is what Prometheus' own documentation shows", () => {
    const requests = new Counter<"code" | "method">(
      "http_requests_total",
      "The total number of HTTP requests.",
    );
    requests.add(1027, { method: "post", code: "200" });
    requests.add(3, { method: "post", code: "400" });
    expect(exposition([requests])).toBe(
      [
        "# HELP http_requests_total The total number of HTTP requests.",
        "# TYPE http_requests_total counter",
        'http_requests_total{code="200",method="post"} 1027',
        'http_requests_total{code="400",method="post"} 3',
        "",
      ].join("\n"),
    );
  });

  it("is of the content type that names its version", () => {
    expect(prometheusContentType).toBe("text/plain; version=0.0.4; charset=utf-8");
  });

  it("escapes backslashes, quotes and line ends in labels", () => {
    const counter = new Counter<"agent">("asked", "Questions.");
    counter.add(1, { agent: 'C:\\dir "quoted"\nnext' });
    expect(exposition([counter])).toContain('asked{agent="C:\\\\dir \\"quoted\\"\\nnext"} 1');
    expect(parseExposition(exposition([counter])).get("asked")?.samples[0]?.labels).toEqual({
      agent: 'C:\\dir "quoted"\nnext',
    });
  });

  it("escapes backslashes and line ends, and no quotes, in the help", () => {
    const counter = new Counter("asked", 'One "line"\nand C:\\dir.');
    expect(exposition([counter])).toContain('# HELP asked One "line"\\nand C:\\\\dir.\n');
  });

  it("writes numbers that are not finite as Prometheus does", () => {
    const gauge = new Gauge<"of">("limit", "Limit.");
    gauge.set(Number.POSITIVE_INFINITY, { of: "a" });
    gauge.set(Number.NEGATIVE_INFINITY, { of: "b" });
    gauge.set(Number.NaN, { of: "c" });
    const lines = exposition([gauge]).split("\n").slice(2, 5);
    expect(lines).toEqual(['limit{of="a"} +Inf', 'limit{of="b"} -Inf', 'limit{of="c"} NaN']);
  });

  it("writes very large and very small numbers so that they are read back", () => {
    const gauge = new Gauge<"of">("value", "Value.");
    gauge.set(1.5e300, { of: "large" });
    gauge.set(2.5e-9, { of: "small" });
    const samples = parseExposition(exposition([gauge])).get("value")?.samples;
    expect(samples?.map(({ value }) => value)).toEqual([1.5e300, 2.5e-9]);
  });

  it("gives a histogram with labels its buckets, sum and count for each set", () => {
    const sizes = new Histogram<"unit">("size", "Size.", { bounds: [1, 2.5] });
    sizes.observe(2, { unit: "m" });
    sizes.observe(7, { unit: "m" });
    expect(exposition([sizes]).split("\n").slice(2)).toEqual([
      'size_bucket{unit="m",le="1"} 0',
      'size_bucket{unit="m",le="2.5"} 1',
      'size_bucket{unit="m",le="+Inf"} 2',
      'size_sum{unit="m"} 9',
      'size_count{unit="m"} 2',
      "",
    ]);
  });
});

describe("the text of this process", () => {
  it("has HELP, TYPE and a value for every metric of the catalog", () => {
    const families = familiesOfProcess();
    for (const { name, help, type } of Object.values(serviceMetrics)) {
      expect(families.get(name)).toMatchObject({ name, help, type });
      expect(families.get(name)?.samples.length, name).toBeGreaterThan(0);
    }
    expect(families.size).toBe(Object.keys(serviceMetrics).length);
  });

  it("has cumulative buckets whose last one is the count", () => {
    serviceMetrics.runDurationMs.observe(50);
    serviceMetrics.runDurationMs.observe(150);
    serviceMetrics.runDurationMs.observe(1e9);
    const histograms = [...familiesOfProcess().values()].filter(({ type }) => type === "histogram");
    expect(histograms).toHaveLength(
      Object.values(serviceMetrics).filter(({ type }) => type === "histogram").length,
    );
    for (const family of histograms) expectSound(family);
  });

  it("is up to date about the process itself at each call", () => {
    const read = (name: string) => familiesOfProcess().get(name)?.samples[0]?.value ?? 0;
    const before = read("service_process_uptime_seconds");
    expect(before).toBeGreaterThan(0);
    expect(read("service_process_uptime_seconds")).toBeGreaterThan(before);
    const ballast = Buffer.alloc(64 * 1024 * 1024, 1);
    expect(read("service_process_memory_rss_bytes")).toBeGreaterThan(ballast.length);
    expect(read("service_process_heap_used_bytes")).toBeGreaterThan(1_000_000);
  });
});

/** A family has a series for each set of labels. */
function expectSound({ name, samples }: ParsedFamily): void {
  const series = seriesOf(samples);
  for (const each of series.values()) expectSoundSeries(name, each);
}

function expectSoundSeries(name: string, samples: ParsedFamily["samples"]): void {
  const buckets = samples.filter((sample) => sample.name === `${name}_bucket`);
  const bounds = buckets.map(({ labels }) => Number((labels["le"] ?? "").replace("Inf", "Infinity")));
  const values = buckets.map(({ value }) => value);
  expect(bounds.at(-1), name).toBe(Number.POSITIVE_INFINITY);
  expect(
    [...bounds].sort((a, b) => a - b),
    name,
  ).toEqual(bounds);
  expect(
    [...values].sort((a, b) => a - b),
    name,
  ).toEqual(values);
  expect(samples.find((sample) => sample.name === `${name}_count`)?.value, name).toBe(values.at(-1));
  expect(samples.filter((sample) => sample.name === `${name}_sum`)).toHaveLength(1);
}

function seriesOf(samples: ParsedFamily["samples"]): Map<string, ParsedFamily["samples"]> {
  const series = new Map<string, ParsedFamily["samples"]>();
  for (const sample of samples) {
    const { le: _bound, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    series.set(key, [...(series.get(key) ?? []), sample]);
  }
  return series;
}
