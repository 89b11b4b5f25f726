import { serviceMetrics } from "../../../src/metrics/catalog.js";
import { DASHBOARD_ROWS, type DashboardPanel } from "./dashboard-rows.js";

/** Grafana's grid is 24 wide; three panels share a line. */
const WIDTH = 8;
const HEIGHT = 7;
/** So that a new panel leaves the numbers of other rows, and links to them, as they are. */
const IDS_PER_ROW = 100;
const QUANTILES = [0.5, 0.95, 0.99];

interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** A Grafana dashboard of every metric, as JSON. Made of the catalog, so it names nothing that does not exist. */
export function renderDashboard(): string {
  let y = 0;
  const panels = DASHBOARD_ROWS.flatMap(({ title, panels: ofRow, collapsed = false }, number) => {
    const id = (number + 1) * IDS_PER_ROW;
    const top = y;
    const placed = ofRow.map((panel, index) => {
      const place = {
        x: (index % 3) * WIDTH,
        y: top + 1 + Math.floor(index / 3) * HEIGHT,
        w: WIDTH,
        h: HEIGHT,
      };
      return panelJson(panel, { id: id + index + 1, place });
    });
    // Panels of a collapsed row take no room until it is opened.
    y = top + 1 + (collapsed ? 0 : Math.ceil(ofRow.length / 3) * HEIGHT);
    const place = { x: 0, y: top, w: 24, h: 1 };
    const row = { id, type: "row", title, collapsed, gridPos: place };
    return collapsed ? [{ ...row, panels: placed }] : [{ ...row, panels: [] }, ...placed];
  });
  return `${JSON.stringify({ ...HEAD, panels }, null, 2)}\n`;
}

const DATASOURCE = { type: "prometheus", uid: "$" + "{datasource}" };

const HEAD = {
  uid: "treadle",
  title: "treadle",
  description: "Runs, tasks, waits, tokens and hosts of treadle processes.",
  tags: ["treadle"],
  schemaVersion: 39,
  editable: true,
  refresh: "30s",
  time: { from: "now-6h", to: "now" },
  templating: {
    list: [
      { name: "datasource", type: "datasource", query: "prometheus", label: "Data source" },
      {
        name: "instance",
        type: "query",
        label: "Process",
        datasource: DATASOURCE,
        query: `label_values(${serviceMetrics.processUptimeSeconds.name}, instance)`,
        refresh: 2,
        multi: true,
        includeAll: true,
        allValue: ".*",
        current: { text: "All", value: "$__all" },
      },
    ],
  },
};

function panelJson(panel: DashboardPanel, { id, place }: { id: number; place: Place }): object {
  const { title, metrics, unit = "short" } = panel;
  const of = metrics.map((key) => serviceMetrics[key]);
  return {
    id,
    type: "timeseries",
    title,
    description: of.map(({ help }) => help).join("\n"),
    datasource: DATASOURCE,
    gridPos: place,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: {
      legend: { displayMode: "list", placement: "bottom" },
      tooltip: { mode: "multi", sort: "desc" },
    },
    targets: metrics.flatMap(queriesOf).map((query, index) => ({
      refId: refId(index),
      datasource: DATASOURCE,
      ...query,
    })),
  };
}

interface Query {
  readonly expr: string;
  readonly legendFormat: string;
}

function queriesOf(key: keyof typeof serviceMetrics): Query[] {
  const { name, type, labelNames } = serviceMetrics[key];
  const series = (suffix = "") => `${name}${suffix}{instance=~"$instance"}`;
  const isOfProcess = name.startsWith("service_process_");
  const by = isOfProcess ? ["instance"] : labelNames.filter((label) => label !== "status_code");
  const values = by.map((label) => `{{${label}}}`).join(" ");
  const legend = isOfProcess ? values : [name.replace("service_", ""), values].filter(Boolean).join(" ");
  if (type === "histogram") {
    return QUANTILES.map((quantile) => ({
      expr: `histogram_quantile(${quantile}, sum by (le) (rate(${series("_bucket")}[$__rate_interval])))`,
      legendFormat: `p${quantile * 100}`,
    }));
  }
  const value = type === "counter" ? `rate(${series()}[$__rate_interval])` : series();
  const merge = mergeOf(name);
  return [
    { expr: `${merge}${by.length === 0 ? "" : ` by (${by.join(", ")}) `}(${value})`, legendFormat: legend },
  ];
}

/** A part of the whole has no sum; what waits is the same in all processes of a database. */
function mergeOf(name: string): "avg" | "max" | "sum" {
  if (name.endsWith("_utilization")) return "avg";
  return name.endsWith("_pending") ? "max" : "sum";
}

/** `A`, `B`, … `Z`, `AA`. */
function refId(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : refId(Math.floor(index / 26) - 1) + last;
}
