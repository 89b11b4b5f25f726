import { AsyncLocalStorage } from "node:async_hooks";
import { type Attributes, Span, type SpanStart } from "./span.js";
import { newSpanId, newTraceId, parseTraceparent, type SpanContext, traceparentOf } from "./span-context.js";

/** A collector of spans. */
export interface SpanSink {
  /** A span has ended. Must be quick and must not throw. */
  add(span: Span): void;
  /** Resolves once everything that was added is where it belongs, or lost. Must not reject. */
  flush(options?: { isLast?: boolean }): Promise<void>;
}

/**
 * The collectors of this process's spans, and the span that code runs in. Of
 * the process, as metrics are: an export is for everything that it does.
 */
const sinks = new Set<SpanSink>();
const storage = new AsyncLocalStorage<SpanContext | null>();
/** Spans of this process by the object that code inside them knows them by. */
const spans = new WeakMap<SpanContext, Span>();
/** Spans that wait for the one around them; while there are as many, one that ends is collected at once. */
const MOST_INNER = 500;

/** @returns ends the collecting */
export function collectSpans(sink: SpanSink): () => void {
  sinks.add(sink);
  return () => void sinks.delete(sink);
}

/** Whether spans are collected: all of this costs nothing while they are not. */
export function isTracing(): boolean {
  return sinks.size > 0;
}

/** Before the process, or a host in it, ends: at most some seconds later. Costs nothing while spans are not collected. */
export async function flushSpans(): Promise<void> {
  await Promise.all([...sinks].map((sink) => sink.flush({ isLast: true })));
}

/** A span begins: a child of `parent`, or the first of a trace of its own. */
export function startSpan(
  start: Omit<SpanStart, "context" | "parent"> & {
    /** @default a new span of the parent's trace, else of a new one */
    readonly context?: SpanContext;
    readonly parent?: SpanContext | undefined;
  },
): Span {
  const parent = openParent(start.parent);
  const { context = childOf(parent) } = start;
  const span = new Span({ ...start, parent, context }, emit);
  spans.set(context, span);
  around(span)?.inner.add(span);
  return span;
}

/** A span that begins after the span around it has ended is no part of that, but of the one around both. */
function openParent(parent: SpanContext | undefined): SpanContext | undefined {
  const span = parent && spans.get(parent);
  return span?.endMs === undefined || span.parent === undefined ? parent : openParent(span.parent);
}

function around({ parent }: Span): Span | undefined {
  return parent && spans.get(parent);
}

function childOf(parent: SpanContext | undefined): SpanContext {
  return {
    traceId: parent?.traceId ?? newTraceId(),
    spanId: newSpanId(),
    isSampled: parent?.isSampled ?? true,
  };
}

/** With the span around it: where its process is killed before that has ended, none arrives whose parent never does. */
function emit(span: Span): void {
  const outer = around(span);
  if (outer === undefined || outer.endMs !== undefined) return collect(span);
  if (outer.inner.size < MOST_INNER) return;
  outer.inner.delete(span);
  span.confine(outer);
  collect(span);
}

function collect(span: Span): void {
  if (span.context.isSampled) for (const sink of sinks) sink.add(span);
  for (const inner of span.inner) {
    inner.confine(span);
    collect(inner);
  }
  span.inner.clear();
}

/** Runs `work`; spans that begin in it, also later and asynchronously, are children of `context`. Null: of none. */
export function withSpanContext<T>(context: SpanContext | null, work: () => T): T {
  return storage.run(context, work);
}

/** The span that the caller runs in, else the one that started this process, as TRACEPARENT says. */
export function currentSpanContext(): SpanContext | undefined {
  const current = storage.getStore();
  return current === undefined ? parseTraceparent(process.env.TRACEPARENT) : (current ?? undefined);
}

/** Runs `work` in a span that ends with it, and fails with it. Without a collector of spans, just runs it. */
export async function inSpan<T>(
  { name, kind, attributes }: Pick<SpanStart, "name" | "kind"> & { attributes: Attributes },
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  if (!isTracing()) return work(undefined);
  const parent = currentSpanContext();
  const span = startSpan({
    name,
    parent,
    startMs: Date.now(),
    attributes,
    ...(kind !== undefined && { kind }),
  });
  try {
    return await withSpanContext(span.context, () => work(span));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end(Date.now());
  }
}

/** As traceHeaders, for the environment of a child process. */
export function traceVariables(): { TRACEPARENT?: string } {
  const { traceparent } = traceHeaders();
  return traceparent === undefined ? {} : { TRACEPARENT: traceparent };
}

/** Headers that name this span to another service; empty while spans are not collected. */
export function traceHeaders(): { traceparent?: string } {
  const current = isTracing() ? currentSpanContext() : undefined;
  return current === undefined ? {} : { traceparent: traceparentOf(current) };
}
