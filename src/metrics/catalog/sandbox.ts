import { BYTES, COUNT, DURATION_MS } from "../buckets.js";
import { Counter } from "../counter.js";
import { Gauge } from "../gauge.js";
import { Histogram } from "../histogram.js";

/** As the events of sandboxes name them. */
const RUNTIMES = ["bubblewrap", "docker", "codeplane", "provider"].map((runtime) => ({ runtime }));
const ENDS = ["finished", "failed", "cancelled"].flatMap((status) =>
  RUNTIMES.map(({ runtime }) => ({ runtime, status })),
);

/** Sandboxes. */
export const sandboxMetrics = {
  sandboxCreatedTotal: new Counter("service_sandbox_created_total", "Sandboxes created.", {
    labels: ["runtime"],
    known: RUNTIMES,
  }),
  sandboxCompletedTotal: new Counter("service_sandbox_completed_total", "Sandboxes that ended.", {
    labels: ["runtime", "status"],
    known: ENDS,
  }),
  sandboxActive: new Gauge("service_sandbox_active", "Sandboxes that this process waits for.", {
    labels: ["runtime"],
    known: RUNTIMES,
  }),
  sandboxDurationMs: new Histogram("service_sandbox_duration_ms", "Milliseconds that a sandbox took.", {
    bounds: DURATION_MS,
  }),
  sandboxBundleSizeBytes: new Histogram(
    "service_sandbox_bundle_size_bytes",
    "Bytes of a bundle sent to a sandbox or received from it.",
    { bounds: BYTES },
  ),
  sandboxTransportDurationMs: new Histogram(
    "service_sandbox_transport_duration_ms",
    "Milliseconds to carry a bundle to a sandbox or back.",
    { bounds: DURATION_MS },
  ),
  sandboxPatchCount: new Histogram(
    "service_sandbox_patch_count",
    "Patches in a bundle received from a sandbox.",
    { bounds: COUNT },
  ),
};
