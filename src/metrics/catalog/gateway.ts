import { FAST_MS } from "../buckets.js";
import { Counter } from "../counter.js";
import { Gauge } from "../gauge.js";
import { Histogram } from "../histogram.js";

const OUTCOMES = ["fired", "failed", "skipped-overlap", "skipped-missed"].map((outcome) => ({ outcome }));
const DELIVERIES = ["accepted", "duplicate", "refused", "failed"].map((outcome) => ({ outcome }));

/**
 * A gateway's requests, connections and started runs. `method` and `stream` are names that the gateway knows, never
 * a name as it was asked for.
 */
export const gatewayMetrics = {
  rpcRequests: new Counter("service_rpc_requests", "Gateway methods answered, over HTTP and WebSockets.", {
    labels: ["method", "status_class"],
  }),
  rpcRequestDurationMs: new Histogram(
    "service_rpc_request_duration_ms",
    "Milliseconds to answer a gateway method.",
    { bounds: FAST_MS, labels: ["method"] },
  ),
  websocketConnections: new Gauge("service_websocket_connections", "WebSockets that are open."),
  websocketConnectionsTotal: new Counter(
    "service_websocket_connections_total",
    "WebSockets that have been opened.",
  ),
  streamsActive: new Gauge("service_streams_active", "Streams that are open, of WebSockets and of HTTP.", {
    labels: ["stream"],
  }),
  streamsOpenedTotal: new Counter("service_streams_opened_total", "Streams that have been opened.", {
    labels: ["stream"],
  }),
  scheduleOccurrencesTotal: new Counter(
    "service_schedule_occurrences_total",
    "Times at which schedules were due, by what came of them.",
    { labels: ["outcome"], known: OUTCOMES },
  ),
  webhookDeliveriesTotal: new Counter(
    "service_webhook_deliveries_total",
    "Requests to webhooks that are registered, by what came of them.",
    { labels: ["webhook", "outcome"], known: DELIVERIES },
  ),
};
