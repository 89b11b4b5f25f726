import { BYTES, COUNT, DURATION_MS } from "../buckets.js";
import { Counter } from "../counter.js";
import { Gauge } from "../gauge.js";
import { Histogram } from "../histogram.js";

/** Sandboxes. */
export const sandboxMetrics = {
  sandboxCreatedTotal: new Counter<"runtime">("service_sandbox_created_total", "Sandboxes created."),
  sandboxCompletedTotal: new Counter<"runtime" | "status">(
    "service_sandbox_completed_total",
    "Sandboxes that ended.",
  ),
  sandboxActive: new Gauge<"runtime">("service_sandbox_active", "Sandboxes that this process waits for."),
  sandboxDurationMs: new Histogram(
    "service_sandbox_duration_ms",
    "Milliseconds that a sandbox took.",
    DURATION_MS,
  ),
  sandboxBundleSizeBytes: new Histogram(
    "service_sandbox_bundle_size_bytes",
    "Bytes of a bundle sent to a sandbox or received from it.",
    BYTES,
  ),
  sandboxTransportDurationMs: new Histogram(
    "service_sandbox_transport_duration_ms",
    "Milliseconds to carry a bundle to a sandbox or back.",
    DURATION_MS,
  ),
  sandboxPatchCount: new Histogram(
    "service_sandbox_patch_count",
    "Patches in a bundle received from a sandbox.",
    COUNT,
  ),
};
