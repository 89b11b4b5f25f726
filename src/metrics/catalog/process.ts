import { FAST_MS } from "../buckets.js";
import { Gauge } from "../gauge.js";
import { Histogram } from "../histogram.js";

/** Version control commands, and the process itself. */
export const processMetrics = {
  vcsDurationMs: new Histogram("service_vcs_duration_ms", "Milliseconds of one git or jj command.", {
    bounds: FAST_MS,
  }),
  processUptimeSeconds: new Gauge("service_process_uptime_seconds", "Seconds since the process started."),
  processMemoryRssBytes: new Gauge(
    "service_process_memory_rss_bytes",
    "Bytes of physical memory that the process holds.",
  ),
  processHeapUsedBytes: new Gauge("service_process_heap_used_bytes", "Bytes of the JavaScript heap in use."),
};
