import type { HostStatus } from "../../client/host-status.js";
import { serviceMetrics as m } from "../../metrics/catalog.js";
import type { Histogram } from "../../metrics/histogram.js";
import type { Metric } from "../../metrics/series.js";
import { listWorkers } from "../../operations/index.js";
import { monotonicMs } from "../../util/monotonic-ms.js";
import type { GatewayParts } from "./gateway-parts.js";

/** What the process of a gateway counts of itself since it began, and the workers of its databases. */
export async function hostStatus({ workspace }: Pick<GatewayParts, "workspace">): Promise<HostStatus> {
  const databases = workspace.databases();
  const workers = await Promise.all(databases.map((db) => listWorkers(db)));
  return {
    uptimeMs: Math.round(process.uptime() * 1_000),
    memoryBytes: process.memoryUsage.rss(),
    runsActive: m.runsActive.value(),
    nodesActive: m.nodesActive.value(),
    queueDepth: m.schedulerQueueDepth.value(),
    websockets: m.websocketConnections.value(),
    streams: sumOf(m.streamsActive),
    requests: sumOf(m.rpcRequests),
    failedRequests: sumOf(m.rpcRequests, "5xx"),
    taskAttempts: sumOf(m.attemptDurationMs, undefined, "_count"),
    failedAttempts: sumOf(m.nodesFailed),
    dbRead: timesOf(m.dbQueryMs),
    dbWrite: timesOf(m.dbTransactionMs),
    dbRetries: sumOf(m.dbRetries),
    databases: await Promise.all(
      databases.map(async ({ path, store }) => {
        const beganAtMs = monotonicMs();
        await store.countWaits();
        return { path, dialect: store.dialect, answersInMs: monotonicMs() - beganAtMs };
      }),
    ),
    workers: workers.flat(),
  };
}

function sumOf(metric: Metric, statusClass?: string, suffix = ""): number {
  const isMeant = ({ labels, suffix: own }: ReturnType<Metric["samples"]>[number]) =>
    own === suffix &&
    (statusClass === undefined ||
      labels.some(([name, value]) => name === "status_class" && value === statusClass));
  return metric
    .samples()
    .filter(isMeant)
    .reduce((sum, { value }) => sum + value, 0);
}

/** Percentiles are upper bounds of the histogram's buckets. */
function timesOf(histogram: Histogram): HostStatus["dbRead"] {
  const buckets = histogram.samples().filter(({ suffix }) => suffix === "_bucket");
  const count = histogram.count();
  const within = (part: number): number | null => {
    if (count === 0) return null;
    const at = buckets.findIndex(({ value }) => value >= part * count);
    return histogram.bounds[at] ?? null;
  };
  return {
    count,
    meanMs: count === 0 ? null : histogram.sum() / count,
    p50Ms: within(0.5),
    p99Ms: within(0.99),
  };
}
