export { serviceMetrics } from "../metrics/catalog.js";
export type { Counter } from "../metrics/counter.js";
export type { Gauge } from "../metrics/gauge.js";
export type { Histogram } from "../metrics/histogram.js";
export type { Labels } from "../metrics/series.js";
export { prometheusContentType, renderPrometheusMetrics } from "./prometheus.js";
