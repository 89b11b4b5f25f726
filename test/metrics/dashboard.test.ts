import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { serviceMetrics } from "../../src/index.js";
import { renderDashboard } from "./support/render-dashboard.js";

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { refId: string; expr: string }[];
  panels?: Panel[];
}

const text = readFileSync(
  fileURLToPath(new URL("../../docs/grafana-dashboard.json", import.meta.url)),
  "utf8",
);
const dashboard = JSON.parse(text) as {
  panels: Panel[];
  templating: { list: { name: string; query: string }[] };
};
const panels = dashboard.panels.flatMap((panel) => [panel, ...(panel.panels ?? [])]);
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const byName = new Map(Object.values(serviceMetrics).map((metric) => [metric.name, metric]));

/** Labels that the scraper adds. */
const OF_SCRAPES = ["instance"];

/** Name without suffix, and everything that a query says about labels. */
function read(expr: string) {
  const [, name = "", matchers = ""] = /(service_\w+)\{([^}]*)\}/.exec(expr) ?? [];
  const suffix = /_(?:bucket|sum|count)$/.exec(name)?.[0] ?? "";
  const metric = byName.get(name) ?? byName.get(name.slice(0, -suffix.length));
  const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels = ""]) => labels.split(", "));
  const matched = [...matchers.matchAll(/(\w+)=~?"/g)].map(([, label = ""]) => label);
  return { metric, isBucket: suffix === "_bucket", labels: [...grouped, ...matched], grouped };
}

describe("docs/grafana-dashboard.json", () => {
  it("is what the catalog renders to", async () => {
    await expect(
      renderDashboard(),
      "docs/grafana-dashboard.json is out of date: run `npm run docs:dashboard` and commit the result",
    ).toMatchFileSnapshot("../../docs/grafana-dashboard.json");
  });

  it("never adds up what waits, which all processes of a database say the same about", () => {
    const ofWaits = queries.filter((expr) => expr.includes("_pending{"));
    expect(ofWaits.map((expr) => /^\w+/.exec(expr)?.[0])).toEqual(["max", "max", "max"]);
  });

  it("shows every metric", () => {
    const shown = new Set(queries.map((expr) => read(expr).metric?.name));
    expect([...byName.keys()].filter((name) => !shown.has(name))).toEqual([]);
  });

  it.each(queries)("%s is about a metric and labels that exist", (expr) => {
    const { metric, isBucket, labels } = read(expr);
    expect(metric).toBeDefined();
    const known = [...(metric?.labelNames ?? []), ...OF_SCRAPES, ...(isBucket ? ["le"] : [])];
    expect(labels.filter((label) => !known.includes(label))).toEqual([]);
    expect(expr.match(/\(/g)?.length).toBe(expr.match(/\)/g)?.length);
  });

  it.each(queries)("%s treats its metric as what it is", (expr) => {
    const { metric, isBucket, grouped } = read(expr);
    expect(expr.includes("rate(")).toBe(metric?.type !== "gauge");
    expect(expr.startsWith("histogram_quantile(")).toBe(metric?.type === "histogram");
    expect(isBucket).toBe(metric?.type === "histogram");
    if (isBucket) expect(grouped).toContain("le");
  });

  it("names each panel once, each query of a panel once, and lets none cover another", () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { targets = [] } of panels) {
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    }
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      [...Array(w * h).keys()].map((cell) => `${x + (cell % w)}:${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });

  it("has variables for what its queries leave open", () => {
    const names = dashboard.templating.list.map(({ name }) => name);
    const used = [...text.matchAll(/\$\{?(\w+)/g)].map(([, name = ""]) => name);
    expect(used.filter((name) => !name.startsWith("__") && !names.includes(name))).toEqual([]);
  });
});
