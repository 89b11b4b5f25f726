import { DURATION_MS } from "../buckets.js";
import { Counter } from "../counter.js";
import { Gauge } from "../gauge.js";
import { Histogram } from "../histogram.js";

/** Approvals, awaited events and timers. */
export const waitMetrics = {
  approvalsRequested: new Counter("service_approvals_requested", "Approvals asked for."),
  approvalsGranted: new Counter("service_approvals_granted", "Approvals given, by people or by rule."),
  approvalsDenied: new Counter("service_approvals_denied", "Approvals refused."),
  approvalPending: new Gauge(
    "service_approval_pending",
    "Approvals that wait for a decision, as the databases say.",
  ),
  externalWaitAsyncPending: new Gauge(
    "service_external_wait_async_pending",
    "Nodes that wait for an answer from outside, as the databases say.",
    { labels: ["kind"], known: [{ kind: "approval" }, { kind: "event" }] },
  ),
  approvalWaitDurationMs: new Histogram(
    "service_approval_wait_duration_ms",
    "Milliseconds from asking for an approval to its decision.",
    { bounds: DURATION_MS },
  ),
  timersCreated: new Counter("service_timers_created", "Timers set."),
  timersFired: new Counter("service_timers_fired", "Timers that fired."),
  timersCancelled: new Counter("service_timers_cancelled", "Timers cancelled before they fired."),
  timersPending: new Gauge("service_timers_pending", "Timers that have not fired, as the databases say."),
  timersDelayMs: new Histogram("service_timers_delay_ms", "Milliseconds by which timers fired late.", {
    bounds: DURATION_MS,
  }),
};
