import type { Attributes, AttributeValue, Span, SpanKind } from "../../tracing/span.js";

/** Attributes of the process that a trace comes from. */
export type Resource = ReadonlyMap<string, AttributeValue>;

interface AnyValue {
  stringValue?: string;
  boolValue?: boolean;
  /** 64 bits, so JSON has them as text. */
  intValue?: string;
  doubleValue?: number;
  arrayValue?: { values: AnyValue[] };
}

/** Numbers of the protocol's enumerations. */
const KINDS: Readonly<Record<SpanKind, number>> = {
  internal: 1,
  server: 2,
  client: 3,
  producer: 4,
  consumer: 5,
};
const STATUS_OK_OR_UNSET = 0;
const STATUS_ERROR = 2;
/** Flags of a span: the trace flags of W3C in the lowest byte. */
const SAMPLED = 1;

/** Attributes that say which run, task or workflow a span is of. */
const IDENTITIES: ReadonlySet<string> = new Set([
  "treadle.run.id",
  "treadle.run.continued_from",
  "treadle.node.id",
  "treadle.workflow.name",
]);

/** Keeps secrets out: of texts of any origin, and of names, which may look like one. */
export interface Cleaner {
  text(text: string): string;
  name(text: string): string;
}

/** `ExportTraceServiceRequest` in the JSON encoding of OTLP 1.x. */
export function traceRequest(
  spans: readonly Span[],
  { resource, version, clean }: { resource: Resource; version: string; clean: Cleaner },
): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: keyValues(resource, clean) },
        scopeSpans: [
          { scope: { name: "treadle", version }, spans: spans.map((span) => spanJson(span, clean)) },
        ],
      },
    ],
  };
}

function spanJson(span: Span, clean: Cleaner): object {
  const { context, parent, failure } = span;
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(parent !== undefined && { parentSpanId: parent.spanId }),
    flags: SAMPLED,
    name: clean.name(span.name),
    kind: KINDS[span.kind],
    startTimeUnixNano: nanos(span.startMs),
    endTimeUnixNano: nanos(span.endMs ?? span.startMs),
    attributes: keyValues(span.attributes, clean),
    events: span.events.map(({ name, atMs, attributes }) => ({
      timeUnixNano: nanos(atMs),
      name: clean.text(name),
      attributes: keyValues(definedOnly(attributes), clean),
    })),
    links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId, attributes: [] })),
    status:
      failure === undefined
        ? { code: STATUS_OK_OR_UNSET }
        : { code: STATUS_ERROR, message: clean.text(failure) },
  };
}

function definedOnly(attributes: Attributes): Map<string, AttributeValue> {
  return new Map(
    Object.entries(attributes).filter((entry): entry is [string, AttributeValue] => entry[1] !== undefined),
  );
}

function keyValues(
  attributes: ReadonlyMap<string, AttributeValue>,
  clean: Cleaner,
): { key: string; value: AnyValue }[] {
  return [...attributes].map(([key, value]) => ({
    key,
    value: anyValue(value, IDENTITIES.has(key) ? clean.name : clean.text),
  }));
}

function anyValue(value: AttributeValue, clean: (text: string) => string): AnyValue {
  if (typeof value === "string") return { stringValue: clean(value) };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value !== "number")
    return { arrayValue: { values: value.map((item) => anyValue(item, clean)) } };
  // JSON has no NaN and no infinity.
  if (!Number.isFinite(value)) return { stringValue: String(value) };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Milliseconds as nanoseconds, exactly. */
function nanos(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1_000_000)));
}
