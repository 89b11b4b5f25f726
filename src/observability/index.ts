export { serviceMetrics } from "../metrics/catalog.js";
export type { Counter } from "../metrics/counter.js";
export type { Gauge } from "../metrics/gauge.js";
export type { Histogram } from "../metrics/histogram.js";
export type { Labels } from "../metrics/series.js";
export { type InstalledObservability, installServiceObservability } from "./install.js";
export {
  createServiceObservabilityLayer,
  createServiceOtelLayer,
  createServiceRuntimeLayer,
  ServiceObservability,
  trackServiceEvent,
} from "./layer.js";
export type { LogLevel } from "./log/level.js";
export {
  type LogFormat,
  type ResolvedObservabilityOptions,
  resolveServiceObservabilityOptions,
  type ServiceObservabilityOptions,
} from "./options.js";
export { prometheusContentType, renderPrometheusMetrics } from "./prometheus.js";
