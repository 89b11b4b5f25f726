import { serviceMetrics } from "../metrics/catalog.js";
import { exposition } from "./exposition.js";
import { waitGauges } from "./wait-gauges.js";

/** The `Content-Type` of what renderPrometheusMetrics returns. */
export const prometheusContentType = "text/plain; version=0.0.4; charset=utf-8";

/**
 * All metrics of this process as Prometheus reads them. Those that nothing has
 * been recorded in are there too, at zero. Uptime, memory and what waits in databases
 * that answer at once are as of this call.
 *
 * @example
 * createServer((_request, response) => {
 *   response.setHeader("content-type", prometheusContentType).end(renderPrometheusMetrics());
 * });
 */
export function renderPrometheusMetrics(): string {
  void waitGauges.refresh();
  return render();
}

/** As renderPrometheusMetrics, with what waits in all databases as of this call. */
export async function renderCurrentMetrics(): Promise<string> {
  await waitGauges.refresh();
  return render();
}

function render(): string {
  const { rss, heapUsed } = process.memoryUsage();
  serviceMetrics.processUptimeSeconds.set(process.uptime());
  serviceMetrics.processMemoryRssBytes.set(rss);
  serviceMetrics.processHeapUsedBytes.set(heapUsed);
  return exposition(Object.values(serviceMetrics));
}
