import { afterEach, describe, expect, it, vi } from "vitest";
import { OtlpExporter } from "../../../src/observability/trace/otlp-exporter.js";
import { startSpan } from "../../../src/tracing/tracer.js";
import { startCollector } from "../support/collector.js";

afterEach(() => void vi.unstubAllEnvs());

function exporterTo(endpoint: string) {
  const lost: { spans: number; reason: string }[] = [];
  const exporter = new OtlpExporter({
    endpoint,
    serviceName: "zoo",
    onLost: (spans, reason) => lost.push({ spans, reason }),
  });
  const add = (count: number, name = "work") => {
    for (let n = 0; n < count; n += 1) {
      const span = startSpan({ name, startMs: 1_700_000_000_000.25 });
      span.end(1_700_000_000_001);
      exporter.add(span);
    }
  };
  return { exporter, lost, add };
}

describe("the exporter", () => {
  it("sends what waits in batches, each span once", async () => {
    const { endpoint, spans, headers } = await startCollector();
    const { exporter, add, lost } = exporterTo(`${endpoint}/`);
    add(1_200);
    await exporter.flush();
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(1_200);
    expect(spans).toHaveLength(1_200);
    expect(headers).toHaveLength(3);
    expect(spans[0]?.startMs).toBe(1_700_000_000_000.25);
    expect(lost).toEqual([]);
  });

  it("holds a bounded number, and says how many were lost", async () => {
    const { endpoint, spans } = await startCollector();
    const { exporter, add, lost } = exporterTo(endpoint);
    // Sending takes turns of the event loop, and there are none in between.
    add(3_000);
    await exporter.flush();
    expect(spans).toHaveLength(2_048);
    expect(lost).toEqual([{ spans: 952, reason: "more than 2048 were waiting" }]);
  });

  it("drops what a collector refuses, and goes on", async () => {
    const { endpoint } = await startCollector(503);
    const { exporter, add, lost } = exporterTo(endpoint);
    add(2);
    await exporter.flush();
    expect(lost).toEqual([{ spans: 2, reason: `${endpoint}/v1/traces answered 503` }]);
    expect(exporter.hasWaiting).toBe(false);
  });

  it("drops what nobody takes", async () => {
    const { exporter, add, lost } = exporterTo("http://127.0.0.1:9");
    add(2);
    await exporter.flush();
    expect(lost).toHaveLength(1);
    expect(lost[0]?.reason).toMatch(/127\.0\.0\.1:9/);
  });

  it("sends the headers and the resource that the environment names", async () => {
    vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "x-team=a%20b, authorization=Bearer abc");
    vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test,service.name=other");
    const { endpoint, headers, spans } = await startCollector();
    const { exporter, add } = exporterTo(endpoint);
    add(1);
    await exporter.flush();
    expect(headers[0]).toMatchObject({ "x-team": "a b", authorization: "Bearer abc" });
    expect(spans[0]?.resource).toMatchObject({
      "deployment.environment.name": "test",
      "service.name": "zoo",
    });
  });

  it("keeps secrets of the environment out", async () => {
    vi.stubEnv("SHOP_API_KEY", "hunter2-hunter2");
    const { endpoint, spans } = await startCollector();
    const { exporter } = exporterTo(endpoint);
    const span = startSpan({ name: "work", startMs: 1, attributes: { url: "http://a/?k=hunter2-hunter2" } });
    span.fail(new Error("Refused with hunter2-hunter2."));
    span.end(2);
    exporter.add(span);
    await exporter.flush();
    expect(JSON.stringify(spans)).not.toContain("hunter2");
    expect(spans[0]?.failure).toBe("Refused with [redacted].");
  });
});
