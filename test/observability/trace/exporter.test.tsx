import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createServiceObservabilityLayer,
  installServiceObservability,
  resolveServiceObservabilityOptions,
} from "../../../src/observability/index.js";
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

  it("drops what a collector refuses, and continues", async () => {
    const { endpoint, headers } = await startCollector(400);
    const { exporter, add, lost } = exporterTo(endpoint);
    add(2);
    await exporter.flush();
    expect(lost).toEqual([{ spans: 2, reason: `${endpoint}/v1/traces answered 400` }]);
    expect(headers).toHaveLength(1);
    expect(exporter.hasWaiting).toBe(false);
  });

  it("tries again with a collector that is busy, which then has each span once", async () => {
    const { endpoint, spans, headers } = await startCollector([503, 429, 200], { "retry-after": "0" });
    const { exporter, add, lost } = exporterTo(endpoint);
    add(3);
    await exporter.flush();
    expect(headers).toHaveLength(3);
    expect(spans).toHaveLength(3);
    expect(lost).toEqual([]);
  });

  it("does not wait longer than its time for one that stays busy, and says what it answered", async () => {
    const { endpoint, headers } = await startCollector(503, { "retry-after": "3600" });
    const { exporter, add, lost } = exporterTo(endpoint);
    add(2);
    await exporter.flush({ isLast: true });
    expect(lost).toEqual([{ spans: 2, reason: `${endpoint}/v1/traces answered 503` }]);
    expect(headers).toHaveLength(1);
  });

  it("does not follow a redirect, which would take its headers to another host", async () => {
    vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "x-team=hunter2");
    const other = await startCollector();
    const { endpoint } = await startCollector(307, { location: `${other.endpoint}/v1/traces` });
    const { exporter, add, lost } = exporterTo(endpoint);
    add(2);
    await exporter.flush();
    expect(lost).toEqual([{ spans: 2, reason: `${endpoint}/v1/traces answered 307` }]);
    expect(other.headers).toEqual([]);
  });

  it("drops spans that no collector takes", async () => {
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

  it.each([
    ["OTEL_EXPORTER_OTLP_HEADERS", "garbage-hunter2"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=b,x=hunter2%zz"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "bad header=hunter2"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "b@d=hunter2"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "=hunter2"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20hunter2%0Ahunter2"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer hunter2\nhunter2"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "x=hunter2%E2%82%AC"],
    ["OTEL_RESOURCE_ATTRIBUTES", "hunter2"],
    ["OTEL_RESOURCE_ATTRIBUTES", "a=hunter2%zz"],
  ])("is not installed with a wrong %s, whose text is not shown: %j", (variable, text) => {
    vi.stubEnv(variable, text);
    const refusal = expect.objectContaining({
      code: "INVALID_INPUT",
      message: expect.stringMatching(new RegExp(`^(?!.*hunter2).*${variable}`)),
    });
    expect(() => installServiceObservability({ enabled: true })).toThrow(refusal);
    expect(() => createServiceObservabilityLayer({ enabled: true })).toThrow(refusal);
    expect(resolveServiceObservabilityOptions({ enabled: false }).enabled).toBe(false);
  });

  it("takes no longer at the end for a request that hangs already", async () => {
    const server = createServer(() => {}).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { exporter, add, lost } = exporterTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    add(1);
    const reached = once(server, "request");
    void exporter.flush();
    await reached;
    add(1);
    // The other request alone might take longer than a test may.
    await exporter.flush({ isLast: true });
    expect(lost.map(({ spans }) => spans)).toEqual([1, 1]);
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
