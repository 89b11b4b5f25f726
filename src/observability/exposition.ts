import type { Metric, Sample } from "../metrics/series.js";

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
