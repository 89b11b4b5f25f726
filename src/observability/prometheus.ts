import { serviceMetrics } from "../metrics/catalog.js";
import type { Metric, Sample } from "../metrics/series.js";
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

/** The metrics in the text format of Prometheus, version 0.0.4. */
export function exposition(metrics: Iterable<Metric>): string {
  const lines: string[] = [];
  for (const metric of metrics) {
    const { name, help, type } = metric;
    lines.push(`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`);
    for (const sample of metric.samples()) lines.push(sampleLine(name, sample));
  }
  return `${lines.join("\n")}\n`;
}

function sampleLine(name: string, { suffix, labels, value }: Sample): string {
  const pairs = labels.map(([label, text]) => `${label}="${escapeLabel(text)}"`).join(",");
  return `${name}${suffix}${pairs === "" ? "" : `{${pairs}}`} ${numberText(value)}`;
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  if (value === Number.NEGATIVE_INFINITY) return "-Inf";
  return String(value);
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
