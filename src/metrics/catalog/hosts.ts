import { DURATION_MS, FAST_MS } from "../buckets.js";
import { Counter } from "../counter.js";
import { Histogram } from "../histogram.js";

const REQUEST = ["method", "route", "status_class", "status_code"] as const;

/** HTTP hosts and hot reload. `route` is a route's template, never a path as it was asked for. */
export const hostMetrics = {
  httpRequests: new Counter("service_http_requests", "HTTP requests answered.", { labels: REQUEST }),
  httpRequestDurationMs: new Histogram(
    "service_http_request_duration_ms",
    "Milliseconds to answer an HTTP request.",
    { bounds: FAST_MS, labels: REQUEST },
  ),
  hotReloads: new Counter("service_hot_reloads", "Changes of a workflow that a run continues with."),
  hotReloadFailures: new Counter(
    "service_hot_reload_failures",
    "Changed workflow modules that could not be loaded, or that a run cannot continue with.",
  ),
  hotReloadDurationMs: new Histogram(
    "service_hot_reload_duration_ms",
    "Milliseconds from the first look at changed files to the new frame.",
    { bounds: DURATION_MS },
  ),
};
