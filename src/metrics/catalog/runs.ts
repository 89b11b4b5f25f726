import { DURATION_MS, FAST_MS } from "../buckets.js";
import { Counter } from "../counter.js";
import { Gauge } from "../gauge.js";
import { Histogram } from "../histogram.js";

/** Runs, nodes, the scheduler, and what branches off a run. */
export const runMetrics = {
  runsTotal: new Counter("service_runs_total", "Runs started; continuing one is not counted here."),
  runsFinishedTotal: new Counter("service_runs_finished_total", "Runs that finished."),
  runsFailedTotal: new Counter("service_runs_failed_total", "Runs that failed."),
  runsCancelledTotal: new Counter("service_runs_cancelled_total", "Runs that were cancelled."),
  runsResumedTotal: new Counter("service_runs_resumed_total", "Times that an existing run was continued."),
  runsContinuedTotal: new Counter("service_runs_continued_total", "Runs that continued as a new run."),
  nodesStarted: new Counter("service_nodes_started", "Attempts of nodes that started."),
  nodesFinished: new Counter("service_nodes_finished", "Nodes that finished."),
  nodesFailed: new Counter(
    "service_nodes_failed",
    "Attempts of nodes that failed, also when another one follows.",
  ),
  nodeRetriesTotal: new Counter("service_node_retries_total", "Failed attempts that another one follows."),
  errorsTotal: new Counter("service_errors_total", "Failures of runs, nodes, sandboxes and scorers."),
  eventsEmittedTotal: new Counter("service_events_emitted_total", "Events that runs committed."),
  runsActive: new Gauge("service_runs_active", "Runs that this process drives now."),
  nodesActive: new Gauge("service_nodes_active", "Nodes with an attempt in progress."),
  schedulerQueueDepth: new Gauge(
    "service_scheduler_queue_depth",
    "Nodes that could start and wait for a free slot.",
  ),
  schedulerConcurrencyUtilization: new Gauge(
    "service_scheduler_concurrency_utilization",
    "Attempts in progress as a part of the slots of all driven runs, 0 to 1.",
  ),
  runDurationMs: new Histogram(
    "service_run_duration_ms",
    "Milliseconds from a run's start to its end, waits included.",
    { bounds: DURATION_MS },
  ),
  nodeDurationMs: new Histogram(
    "service_node_duration_ms",
    "Milliseconds from a node's first attempt to its end, retries included.",
    { bounds: DURATION_MS },
  ),
  attemptDurationMs: new Histogram(
    "service_attempt_duration_ms",
    "Milliseconds of one attempt, successful or not.",
    { bounds: DURATION_MS },
  ),
  schedulerWaitDurationMs: new Histogram(
    "service_scheduler_wait_duration_ms",
    "Milliseconds that a node waited for a free slot.",
    { bounds: DURATION_MS },
  ),
  snapshotsCaptured: new Counter(
    "service_snapshots_captured",
    "Snapshots taken for time travel: frames whose tree was stored, since it differs from the one before.",
  ),
  forksCreated: new Counter("service_forks_created", "Runs forked from a frame of another run."),
  replaysStarted: new Counter("service_replays_started", "Replays started."),
  snapshotDurationMs: new Histogram("service_snapshot_duration_ms", "Milliseconds to take a snapshot.", {
    bounds: FAST_MS,
  }),
};
