import { serviceMetrics } from "../metrics/catalog.js";
import { exposition } from "./exposition.js";

/** The `Content-Type` of what renderPrometheusMetrics returns. */
export const prometheusContentType = "text/plain; version=0.0.4; charset=utf-8";

/**
 * All metrics of this process as Prometheus reads them. Those that nothing has
 * been recorded in are there too, at zero. Uptime and memory are as of this call.
 *
 * @example
 * createServer((_request, response) => {
 *   response.setHeader("content-type", prometheusContentType).end(renderPrometheusMetrics());
 * });
 */
export function renderPrometheusMetrics(): string {
  const { rss, heapUsed } = process.memoryUsage();
  serviceMetrics.processUptimeSeconds.set(process.uptime());
  serviceMetrics.processMemoryRssBytes.set(rss);
  serviceMetrics.processHeapUsedBytes.set(heapUsed);
  return exposition(Object.values(serviceMetrics));
}
