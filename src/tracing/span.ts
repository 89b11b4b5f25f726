import type { SpanContext } from "./span-context.js";

export type AttributeValue = string | number | boolean | readonly string[];
/** An undefined value leaves its attribute out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

export interface SpanStart {
  readonly name: string;
  readonly context: SpanContext;
  /** Undefined for the first span of a trace. */
  readonly parent: SpanContext | undefined;
  /** @default "internal" */
  readonly kind?: SpanKind;
  /** Epoch ms, with fractions. */
  readonly startMs: number;
  readonly attributes?: Attributes;
  /** Spans that it continues from without being a part of them. */
  readonly links?: readonly SpanContext[];
}

export interface SpanEvent {
  readonly name: string;
  /** Epoch ms, with fractions. */
  readonly atMs: number;
  readonly attributes: Attributes;
}

/** Something that took time. It is collected once it and the spans of this process around it have ended. */
export class Span {
  readonly name: string;
  readonly context: SpanContext;
  readonly parent: SpanContext | undefined;
  readonly kind: SpanKind;
  startMs: number;
  readonly links: SpanContext[];
  readonly attributes = new Map<string, AttributeValue>();
  readonly events: SpanEvent[] = [];
  /** Spans of this process right below it that are not collected yet. */
  readonly inner = new Set<Span>();
  /** Why it failed; undefined unless it did. */
  failure: string | undefined;
  /** Epoch ms, with fractions; undefined while it continues. */
  endMs: number | undefined;
  readonly #onEnd: (span: Span) => void;

  constructor(start: SpanStart, onEnd: (span: Span) => void) {
    this.name = start.name;
    this.context = start.context;
    this.parent = start.parent;
    this.kind = start.kind ?? "internal";
    this.startMs = start.startMs;
    this.links = [...(start.links ?? [])];
    this.#onEnd = onEnd;
    this.set(start.attributes ?? {});
  }

  set(attributes: Attributes): void {
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined) this.attributes.set(name, value);
    }
  }

  /** It failed with `error`, which is something that was thrown or the stored form of it. */
  fail(error: unknown): void {
    const { name, code, message } = (typeof error === "object" && error !== null ? error : {}) as {
      name?: unknown;
      code?: unknown;
      message?: unknown;
    };
    this.failure = typeof message === "string" ? message : String(error);
    const type = typeof code === "string" ? code : name;
    this.set({ "error.type": typeof type === "string" ? type : "_OTHER" });
  }

  /** Once; a second end changes nothing. */
  end(endMs: number): void {
    if (this.endMs !== undefined) return;
    // A clock that was set back makes nothing end before it began.
    this.endMs = Math.max(endMs, this.startMs);
    this.#onEnd(this);
  }

  /**
   * It lies within the span around it, whatever their clocks did. A call that an attempt leaves behind, as one that does not
   * heed its abort, counts as long as the attempt did.
   */
  confine({ startMs, endMs = Number.POSITIVE_INFINITY }: Pick<Span, "startMs" | "endMs">): void {
    this.startMs = Math.min(Math.max(this.startMs, startMs), endMs);
    this.endMs = Math.max(Math.min(this.endMs ?? endMs, endMs), this.startMs);
  }
}
