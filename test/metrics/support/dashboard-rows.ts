import type { serviceMetrics } from "../../../src/metrics/catalog.js";

/** Metrics that are looked at together: several counters or gauges, or one histogram. */
export interface DashboardPanel {
  readonly title: string;
  readonly metrics: readonly (keyof typeof serviceMetrics)[];
  /** As Grafana names it. @default "short" */
  readonly unit?: "ms" | "s" | "bytes" | "percentunit" | "ops" | "short";
}

export interface DashboardRow {
  readonly title: string;
  readonly panels: readonly DashboardPanel[];
  /** Of parts that few have. @default false */
  readonly collapsed?: boolean;
}

/** Every metric once. */
export const DASHBOARD_ROWS: readonly DashboardRow[] = [
  {
    title: "Runs",
    panels: [
      { title: "Active now", metrics: ["runsActive", "nodesActive"] },
      {
        title: "Runs per second",
        metrics: [
          "runsTotal",
          "runsFinishedTotal",
          "runsFailedTotal",
          "runsCancelledTotal",
          "runsResumedTotal",
          "runsContinuedTotal",
        ],
        unit: "ops",
      },
      { title: "Duration of runs", metrics: ["runDurationMs"], unit: "ms" },
      {
        title: "Tasks per second",
        metrics: ["nodesStarted", "nodesFinished", "nodesFailed", "nodeRetriesTotal"],
        unit: "ops",
      },
      { title: "Duration of tasks", metrics: ["nodeDurationMs"], unit: "ms" },
      { title: "Duration of attempts", metrics: ["attemptDurationMs"], unit: "ms" },
      { title: "Errors and events per second", metrics: ["errorsTotal", "eventsEmittedTotal"], unit: "ops" },
    ],
  },
  {
    title: "Queue",
    panels: [
      { title: "Tasks that wait for a slot", metrics: ["schedulerQueueDepth"] },
      { title: "Slots in use", metrics: ["schedulerConcurrencyUtilization"], unit: "percentunit" },
      { title: "Time waited for a slot", metrics: ["schedulerWaitDurationMs"], unit: "ms" },
    ],
  },
  {
    title: "Approvals and timers",
    panels: [
      { title: "Waiting now", metrics: ["approvalPending", "externalWaitAsyncPending", "timersPending"] },
      {
        title: "Approvals per second",
        metrics: ["approvalsRequested", "approvalsGranted", "approvalsDenied"],
        unit: "ops",
      },
      { title: "Time to a decision", metrics: ["approvalWaitDurationMs"], unit: "ms" },
      {
        title: "Timers per second",
        metrics: ["timersCreated", "timersFired", "timersCancelled"],
        unit: "ops",
      },
      { title: "Lateness of timers", metrics: ["timersDelayMs"], unit: "ms" },
    ],
  },
  {
    title: "Tokens and cache",
    panels: [
      { title: "Tokens per second", metrics: ["tokensInputTotal", "tokensOutputTotal"] },
      {
        title: "Cached and reasoning tokens per second",
        metrics: ["tokensCacheReadTotal", "tokensCacheWriteTotal", "tokensReasoningTotal"],
      },
      { title: "Task cache per second", metrics: ["cacheHits", "cacheMisses"], unit: "ops" },
      { title: "Input tokens of a call", metrics: ["tokensInputPerCall"] },
      { title: "Output tokens of a call", metrics: ["tokensOutputPerCall"] },
      { title: "Context window filled by a call", metrics: ["tokensContextWindowPerCall"] },
    ],
  },
  {
    title: "Tools",
    panels: [
      {
        title: "Calls of tools per second",
        metrics: ["toolCallsTotal", "toolCallsErrorsTotal", "toolOutputTruncatedTotal"],
        unit: "ops",
      },
      { title: "Duration of tool calls", metrics: ["toolDurationMs"], unit: "ms" },
      {
        title: "Calls of OpenAPI tools per second",
        metrics: ["openapiToolCalls", "openapiToolCallErrors"],
        unit: "ops",
      },
      { title: "Duration of OpenAPI calls", metrics: ["openapiToolDurationMs"], unit: "ms" },
      { title: "Duration of version control commands", metrics: ["vcsDurationMs"], unit: "ms" },
    ],
  },
  {
    title: "HTTP",
    panels: [
      { title: "Requests per second", metrics: ["httpRequests"], unit: "ops" },
      { title: "Duration of requests", metrics: ["httpRequestDurationMs"], unit: "ms" },
    ],
  },
  {
    title: "Gateway",
    panels: [
      { title: "Methods per second", metrics: ["rpcRequests"], unit: "ops" },
      { title: "Duration of methods", metrics: ["rpcRequestDurationMs"], unit: "ms" },
      { title: "Open now", metrics: ["websocketConnections", "streamsActive"] },
      {
        title: "Connections and streams per second",
        metrics: ["websocketConnectionsTotal", "streamsOpenedTotal"],
        unit: "ops",
      },
      { title: "Schedules per second", metrics: ["scheduleOccurrencesTotal"], unit: "ops" },
      { title: "Webhooks per second", metrics: ["webhookDeliveriesTotal"], unit: "ops" },
    ],
  },
  {
    title: "Database",
    panels: [
      { title: "Duration of reads", metrics: ["dbQueryMs"], unit: "ms" },
      { title: "Duration of transactions", metrics: ["dbTransactionMs"], unit: "ms" },
      { title: "Waits for locks", metrics: ["dbLockWaitMs"], unit: "ms" },
      {
        title: "Retries and rollbacks per second",
        metrics: ["dbRetries", "dbTransactionRetries", "dbTransactionRollbacks"],
        unit: "ops",
      },
    ],
  },
  {
    title: "Process",
    panels: [
      { title: "Uptime", metrics: ["processUptimeSeconds"], unit: "s" },
      { title: "Memory", metrics: ["processMemoryRssBytes"], unit: "bytes" },
      { title: "Heap", metrics: ["processHeapUsedBytes"], unit: "bytes" },
    ],
  },
  {
    title: "Time travel and hot reload",
    collapsed: true,
    panels: [
      {
        title: "Snapshots, forks and replays per second",
        metrics: ["snapshotsCaptured", "forksCreated", "replaysStarted"],
        unit: "ops",
      },
      { title: "Duration of snapshots", metrics: ["snapshotDurationMs"], unit: "ms" },
      { title: "Reloads per second", metrics: ["hotReloads", "hotReloadFailures"], unit: "ops" },
      { title: "Duration of reloads", metrics: ["hotReloadDurationMs"], unit: "ms" },
    ],
  },
  {
    title: "Sandboxes and memory",
    collapsed: true,
    panels: [
      { title: "Active sandboxes", metrics: ["sandboxActive"] },
      {
        title: "Sandboxes per second",
        metrics: ["sandboxCreatedTotal", "sandboxCompletedTotal"],
        unit: "ops",
      },
      { title: "Duration of sandboxes", metrics: ["sandboxDurationMs"], unit: "ms" },
      { title: "Size of bundles", metrics: ["sandboxBundleSizeBytes"], unit: "bytes" },
      { title: "Duration of transports", metrics: ["sandboxTransportDurationMs"], unit: "ms" },
      { title: "Patches in bundles", metrics: ["sandboxPatchCount"] },
      {
        title: "Memory per second",
        metrics: ["memoryFactReads", "memoryFactWrites", "memoryRecallQueries", "memoryMessageSaves"],
        unit: "ops",
      },
      { title: "Duration of recalls", metrics: ["memoryRecallDurationMs"], unit: "ms" },
    ],
  },
];
