import { createHash, randomBytes } from "node:crypto";

/** One span in terms of W3C Trace Context. */
export interface SpanContext {
  /** 32 hexadecimal digits, lower case. */
  readonly traceId: string;
  /** 16 hexadecimal digits, lower case. */
  readonly spanId: string;
  /** Whether the trace is recorded; spans of one that is not recorded are not recorded either. */
  readonly isSampled: boolean;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a `traceparent`, also of a later version; undefined for what is none. */
export function parseTraceparent(text: string | undefined): SpanContext | undefined {
  const [, version = "", traceId = "", spanId = "", flags = "", rest] =
    TRACEPARENT.exec(text?.trim() ?? "") ?? [];
  const isKnown = version === "00" ? rest === undefined : version !== "" && version !== "ff";
  if (!isKnown || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function traceparentOf({ traceId, spanId, isSampled }: SpanContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

export function newTraceId(): string {
  return randomBytes(16).toString("hex");
}

export function newSpanId(): string {
  return randomBytes(8).toString("hex");
}

/** The same for the same text, so that processes which never meet name the same trace. */
export function traceIdOf(text: string): string {
  return digest(text).slice(0, 32);
}

/** As traceIdOf, for a span. */
export function spanIdOf(text: string): string {
  return digest(text).slice(0, 16);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
