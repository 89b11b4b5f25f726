import type { Context, Exit, Option, Tracer } from "effect";
import type { AttributeValue, Span } from "../../tracing/span.js";
import type { SpanContext } from "../../tracing/span-context.js";
import { currentSpanContext, startSpan, withSpanContext } from "../../tracing/tracer.js";
import { type EffectLibrary, loadEffect } from "./load-effect.js";

type SpanOptions = Parameters<Tracer.Tracer["span"]>[0];

/**
 * Spans of effects become spans of this process: below the task that they run in, and
 * above the runs that they start.
 */
export function effectTracer(): Tracer.Tracer {
  const library = loadEffect();
  return library.Tracer.make({
    span: (options) => new EffectSpan(options, library),
    context(primitive, fiber) {
      const evaluate = () => primitive["~effect/Effect/evaluate"](fiber);
      const span = fiber.cache.span;
      return span === undefined ? evaluate() : withSpanContext(contextOf(span), evaluate);
    },
  });
}

function contextOf(span: Tracer.AnySpan): SpanContext {
  if (span instanceof EffectSpan) return span.context;
  const { traceId, spanId, sampled } = span;
  return { traceId, spanId, isSampled: sampled };
}

/** One of our spans as the effect library sees its own. */
class EffectSpan implements Tracer.Span {
  readonly _tag = "Span";
  readonly name: string;
  readonly parent: Option.Option<Tracer.AnySpan>;
  readonly annotations: Context.Context<never>;
  readonly links: Tracer.SpanLink[];
  readonly kind: Tracer.SpanKind;
  readonly sampled: boolean;
  readonly attributes = new Map<string, unknown>();
  status: Tracer.SpanStatus;
  readonly #span: Span;
  readonly #library: EffectLibrary;

  constructor(options: SpanOptions, library: EffectLibrary) {
    this.#library = library;
    this.name = options.name;
    this.parent = options.parent;
    this.annotations = options.annotations;
    this.links = options.links;
    this.kind = options.kind;
    this.status = { _tag: "Started", startTime: options.startTime };
    const around = library.Option.getOrUndefined(options.parent);
    const parent = around === undefined ? undefined : contextOf(around);
    this.#span = startSpan({
      name: options.name,
      kind: options.kind,
      parent: options.root ? undefined : (parent ?? currentSpanContext()),
      startMs: msOf(options.startTime),
      links: options.links.map(({ span }) => contextOf(span)),
    });
    this.sampled = options.sampled && this.#span.context.isSampled;
  }

  get context(): SpanContext {
    return this.#span.context;
  }

  get spanId(): string {
    return this.#span.context.spanId;
  }

  get traceId(): string {
    return this.#span.context.traceId;
  }

  attribute(key: string, value: unknown): void {
    this.attributes.set(key, value);
    this.#span.set({ [key]: attributeOf(value) });
  }

  event(name: string, startTime: bigint, attributes: Record<string, unknown> = {}): void {
    const entries = Object.entries(attributes).map(([key, value]) => [key, attributeOf(value)] as const);
    this.#span.events.push({ name, atMs: msOf(startTime), attributes: Object.fromEntries(entries) });
  }

  addLinks(links: readonly Tracer.SpanLink[]): void {
    this.links.push(...links);
    this.#span.links.push(...links.map(({ span }) => contextOf(span)));
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    if (this.status._tag === "Ended") return;
    this.status = { _tag: "Ended", startTime: this.status.startTime, endTime, exit };
    const { Cause } = this.#library;
    if (exit._tag === "Failure" && !Cause.hasInterruptsOnly(exit.cause)) {
      this.#span.fail(Cause.squash(exit.cause));
    }
    if (this.sampled) this.#span.end(msOf(endTime));
  }
}

function msOf(nanos: bigint): number {
  return Number(nanos / 1_000n) / 1_000;
}

function attributeOf(value: unknown): AttributeValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
