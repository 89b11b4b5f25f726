import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import {
  installServiceObservability,
  type ServiceObservabilityOptions,
} from "../../../src/observability/index.js";

interface Message {
  verify(object: object): string | null;
  fromObject(object: object): object;
  toObject(message: object, options: object): unknown;
}

/** The messages of the protocol, as OpenTelemetry's own package has them. */
const { opentelemetry } = createRequire(import.meta.url)(
  "@opentelemetry/otlp-transformer/build/src/generated/root",
) as { opentelemetry: { proto: { collector: { trace: { v1: { ExportTraceServiceRequest: Message } } } } } };
const { ExportTraceServiceRequest } = opentelemetry.proto.collector.trace.v1;

interface KeyValue {
  key: string;
  value: { stringValue?: string; boolValue?: boolean; intValue?: string; doubleValue?: number };
}

/** A span as a collector has understood it. */
export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  kind: string;
  startMs: number;
  endMs: number;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  failure: string | undefined;
  resource: Record<string, unknown>;
}

export interface Collector {
  readonly endpoint: string;
  readonly headers: NodeJS.Dict<string | string[]>[];
  readonly spans: ReceivedSpan[];
  /** The only span of that name. */
  span(name: string): ReceivedSpan;
}

/**
 * A collector on the loopback that refuses what is not of the protocol.
 * @param statuses of its answers one after the other, the last one from then on
 */
export async function startCollector(
  statuses: number | readonly number[] = 200,
  answered: Record<string, string> = {},
): Promise<Collector> {
  const left = [statuses].flat();
  const collector = { endpoint: "", headers: [] as Collector["headers"], spans: [] as ReceivedSpan[] };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      collector.headers.push(request.headers);
      const status = (left.length > 1 ? left.shift() : left[0]) ?? 200;
      if (request.url === "/v1/traces" && status === 200) collector.spans.push(...spansOf(body));
      response.writeHead(request.url === "/v1/traces" ? status : 404, answered).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  collector.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    ...collector,
    span(name) {
      const [span, ...others] = collector.spans.filter((each) => each.name === name);
      if (span === undefined || others.length > 0) {
        throw new Error(`Not one ${name}: ${collector.spans.map((each) => each.name).join(", ")}`);
      }
      return span;
    },
  };
}

/** Spans of this process go to a collector until the test is over; `flush` waits until they are there. */
export async function exportTo(options: ServiceObservabilityOptions = {}) {
  const collector = await startCollector();
  const { flush, close } = installServiceObservability({
    enabled: true,
    installLogger: false,
    endpoint: collector.endpoint,
    ...options,
  });
  onTestFinished(() => close());
  return { ...collector, flush };
}

function spansOf(body: string): ReceivedSpan[] {
  const request = JSON.parse(body, (name, value: unknown) =>
    // Where protobuf's JSON has bytes as base64, that of the protocol has them as hexadecimal digits.
    /^(?:traceId|spanId|parentSpanId)$/.test(name)
      ? Buffer.from(String(value), "hex").toString("base64")
      : value,
  ) as object;
  const refused = ExportTraceServiceRequest.verify(ExportTraceServiceRequest.fromObject(request));
  if (refused !== null) throw new Error(refused);
  const decoded = ExportTraceServiceRequest.toObject(ExportTraceServiceRequest.fromObject(request), {
    longs: String,
    enums: String,
    bytes: String,
    defaults: true,
  }) as { resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: RawSpan[] }[] }[] };
  return decoded.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        name: span.name,
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentSpanId: hex(span.parentSpanId),
        kind: span.kind,
        startMs: Number(span.startTimeUnixNano) / 1e6,
        endMs: Number(span.endTimeUnixNano) / 1e6,
        attributes: valuesOf(span.attributes),
        links: span.links.map((link) => ({ traceId: hex(link.traceId), spanId: hex(link.spanId) })),
        failure: span.status?.code === "STATUS_CODE_ERROR" ? span.status.message : undefined,
        resource: valuesOf(resource.attributes),
      })),
    ),
  );
}

interface RawSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  kind: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: KeyValue[];
  links: { traceId: string; spanId: string }[];
  status?: { code: string; message: string };
}

function hex(base64: string): string {
  return Buffer.from(base64, "base64").toString("hex");
}

function valuesOf(attributes: KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue),
    ]),
  );
}
