import type { Context, Effect, Layer, Scope, Tracer } from "effect";
import type { RunEvent } from "../model/events.js";
import { lazyKey } from "./effect/lazy-key.js";
import { loadEffect } from "./effect/load-effect.js";
import { loggerLayer } from "./effect/logger.js";
import { effectTracer } from "./effect/tracer.js";
import { installServiceObservability } from "./install.js";
import {
  type ResolvedObservabilityOptions,
  resolveServiceObservabilityOptions,
  type ServiceObservabilityOptions,
} from "./options.js";
import { runRecorder } from "./run-recorder.js";
import { spanExports } from "./trace/span-exports.js";

/** The service of effects under the key ServiceObservability. */
export interface ServiceObservability {
  /** Every option with its value. */
  readonly options: ResolvedObservabilityOptions;
  /** Attaches attributes to the span around; without one, does nothing. */
  annotate(attributes: Record<string, unknown>): Effect.Effect<void>;
  /** The computation within a child span of that name. */
  withSpan<A, E, R>(
    name: string,
    computation: Effect.Effect<A, E, R>,
    attributes?: Record<string, unknown>,
  ): Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>>;
}

/**
 * The key of the observability service. Needs the package `effect`, version 4.
 * @example
 * const program = Effect.gen(function* () {
 *   const { withSpan } = yield* ServiceObservability;
 *   return yield* withSpan("import orders", importOrders);
 * });
 */
export const ServiceObservability: Context.Service<ServiceObservability, ServiceObservability> = lazyKey(
  "treadle/ServiceObservability",
);

/**
 * Logs and traces for effects and for the runs of this process while the layer is in use: the
 * logger (unless `installLogger` is false), the tracer (when `enabled` is true) and the service
 * under ServiceObservability. Metrics need no layer.
 *
 * @throws INVALID_INPUT, OPTIONAL_PACKAGE_MISSING
 */
export function createServiceObservabilityLayer(
  options: ServiceObservabilityOptions = {},
): Layer.Layer<ServiceObservability> {
  const resolved = resolveServiceObservabilityOptions(options);
  const { Effect, Layer } = loadEffect();
  const service = whileInUse(
    () => installServiceObservability(resolved),
    ({ close }) => close(),
  );
  return Layer.mergeAll(
    Layer.effect(ServiceObservability, Effect.as(service, serviceOf(resolved))),
    resolved.installLogger ? loggerLayer(resolved) : Layer.empty,
    resolved.enabled ? tracerLayer() : Layer.empty,
  );
}

/** The same as createServiceObservabilityLayer. */
export const createServiceRuntimeLayer = createServiceObservabilityLayer;

/**
 * Only the export of spans; empty unless `enabled` is true. Of the options `enabled`, `endpoint` and
 * `serviceName` matter.
 *
 * @throws INVALID_INPUT, OPTIONAL_PACKAGE_MISSING
 */
export function createServiceOtelLayer(options: ServiceObservabilityOptions = {}): Layer.Layer<never> {
  const resolved = resolveServiceObservabilityOptions(options);
  const { Layer } = loadEffect();
  if (!resolved.enabled) return Layer.empty;
  const exporting = whileInUse(
    () => spanExports.begin(resolved),
    (stop) => stop(),
  );
  return Layer.merge(Layer.effectDiscard(exporting), tracerLayer());
}

/**
 * Adds an event of a run to the metrics when it is run, as the runtime does with each event that it
 * commits. Not needed for runs of this process.
 *
 * @throws OPTIONAL_PACKAGE_MISSING
 */
export function trackServiceEvent(event: RunEvent): Effect.Effect<void> {
  return loadEffect().Effect.sync(() => runRecorder.onEvent(event, event.runId, event.timestampMs));
}

function tracerLayer(): Layer.Layer<never> {
  const library = loadEffect();
  return library.Layer.succeed(library.Tracer.Tracer, effectTracer());
}

function whileInUse<T>(
  begin: () => T,
  end: (begun: T) => Promise<void>,
): Effect.Effect<T, never, Scope.Scope> {
  const { Effect } = loadEffect();
  return Effect.acquireRelease(Effect.sync(begin), (begun) => Effect.promise(() => end(begun)));
}

function serviceOf(options: ResolvedObservabilityOptions): ServiceObservability {
  const { Effect } = loadEffect();
  return {
    options,
    annotate: (attributes) => Effect.annotateCurrentSpan(attributes),
    withSpan: (name, computation, attributes) =>
      Effect.withSpan(computation, name, attributes === undefined ? {} : { attributes }),
  };
}
