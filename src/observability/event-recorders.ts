import { taskKey } from "../model/address.js";
import { serviceMetrics as m } from "../metrics/catalog.js";
import type { EventBody } from "../model/events.js";
import { isWaiting } from "../model/run.js";
import type { OpenRun } from "./open-run.js";

type BodyOf<T> = Extract<EventBody, { type: T }>;

/** Adds one event to the metrics. `run` knows since when things are open. */
type Recorder<T> = (event: BodyOf<T>, run: OpenRun, atMs: number) => void;

/** The metrics that each type of event changes. A type that is absent here is only counted as an event. */
export const eventRecorders: { readonly [T in EventBody["type"]]?: Recorder<T> } = {
  RunStarted(event, run, atMs) {
    if (event.resumed) m.runsResumedTotal.add();
    else m.runsTotal.add();
    run.drive(atMs);
  },
  RunStatusChanged(event, run, atMs) {
    if (isWaiting(event.status)) run.suspend();
    // Something arrived before the process had let the waiting run go.
    else if (event.status === "running") run.drive(atMs);
  },
  RunInterrupted: (_event, run) => run.suspend(),
  RunFinished(_event, run, atMs) {
    m.runsFinishedTotal.add();
    run.end(atMs);
  },
  RunFailed(_event, run, atMs) {
    m.runsFailedTotal.add();
    m.errorsTotal.add();
    run.end(atMs);
  },
  RunCancelled(_event, run, atMs) {
    m.runsCancelledTotal.add();
    run.end(atMs);
  },
  RunContinuedAsNew(_event, run, atMs) {
    m.runsContinuedTotal.add();
    run.end(atMs);
  },
  RunForked: () => m.forksCreated.add(),

  NodeStarted(event, run, atMs) {
    m.nodesStarted.add();
    const key = keyOf(event);
    run.answer(key);
    run.startAttempt(key, atMs);
  },
  NodeFinished(event, run, atMs) {
    m.nodesFinished.add();
    run.endNode(keyOf(event), atMs);
  },
  NodeFailed(event, run, atMs) {
    m.nodesFailed.add();
    m.errorsTotal.add();
    const key = keyOf(event);
    run.answer(key);
    run.failAttempt(key, atMs);
  },
  NodeRetrying: () => m.nodeRetriesTotal.add(),
  NodeCancelled: endNode,
  NodeSkipped: endNode,
  NodeInterrupted: (event, run) => run.interruptAttempt(keyOf(event)),
  NodeWaitingQuota: (event, run, atMs) => run.endAttempt(keyOf(event), atMs),

  ApprovalRequested(event, run, atMs) {
    m.approvalsRequested.add();
    run.ask(keyOf(event), atMs);
  },
  ApprovalGranted(event, run, atMs) {
    m.approvalsGranted.add();
    endApproval(event, run, atMs);
  },
  ApprovalAutoApproved(event, run, atMs) {
    m.approvalsGranted.add();
    endApproval(event, run, atMs);
  },
  ApprovalDenied(event, run, atMs) {
    m.approvalsDenied.add();
    endApproval(event, run, atMs);
  },
  TimerCreated: () => m.timersCreated.add(),
  TimerFired({ delayMs }) {
    m.timersFired.add();
    m.timersDelayMs.observe(delayMs);
  },
  TimerCancelled: () => m.timersCancelled.add(),

  TokenUsageReported(event) {
    const labels = { agent: event.agent, ...(event.model !== "unknown" && { model: event.model }) };
    m.tokensInputTotal.add(event.inputTokens, labels);
    m.tokensOutputTotal.add(event.outputTokens, labels);
    m.tokensCacheReadTotal.add(event.cacheReadTokens ?? 0, labels);
    m.tokensCacheWriteTotal.add(event.cacheWriteTokens ?? 0, labels);
    m.tokensReasoningTotal.add(event.reasoningTokens ?? 0, labels);
    m.tokensInputPerCall.observe(event.inputTokens, labels);
    m.tokensOutputPerCall.observe(event.outputTokens, labels);
    // Input counts everything the model was shown, from any cache.
    m.tokensContextWindowPerCall.observe(event.inputTokens, labels);
  },

  ScorerFailed: () => m.errorsTotal.add(),
  WorkflowReloaded({ durationMs }) {
    m.hotReloads.add();
    m.hotReloadDurationMs.observe(durationMs);
  },
  MemoryFactSet: () => m.memoryFactWrites.add(),
  MemoryMessageSaved: () => m.memoryMessageSaves.add(),
  WorkflowReloadFailed: () => m.hotReloadFailures.add(),
  WorkflowReloadUnsafe: () => m.hotReloadFailures.add(),
  SandboxCreated({ runtime }) {
    m.sandboxCreatedTotal.add(1, { runtime });
    m.sandboxActive.add(1, { runtime });
  },
  SandboxShipped({ bundleSizeBytes, durationMs }) {
    m.sandboxBundleSizeBytes.observe(bundleSizeBytes);
    if (durationMs !== undefined) m.sandboxTransportDurationMs.observe(durationMs);
  },
  SandboxBundleReceived({ bundleSizeBytes, durationMs, patchCount }) {
    if (durationMs !== undefined) m.sandboxTransportDurationMs.observe(durationMs);
    m.sandboxBundleSizeBytes.observe(bundleSizeBytes);
    m.sandboxPatchCount.observe(patchCount);
  },
  SandboxCompleted({ runtime, status, durationMs }) {
    m.sandboxCompletedTotal.add(1, { runtime, status });
    m.sandboxActive.add(-1, { runtime });
    m.sandboxDurationMs.observe(durationMs);
  },
  SandboxFailed({ runtime }) {
    m.sandboxCompletedTotal.add(1, { runtime, status: "failed" });
    m.sandboxActive.add(-1, { runtime });
    m.errorsTotal.add();
  },
};

function keyOf(at: { nodeId: string; iteration: number }): string {
  return taskKey(at);
}

function endNode(event: BodyOf<"NodeCancelled" | "NodeSkipped">, run: OpenRun, atMs: number): void {
  const key = keyOf(event);
  run.answer(key);
  run.endNode(key, atMs);
}

function endApproval(event: { nodeId: string; iteration: number }, run: OpenRun, atMs: number): void {
  const requestedMs = run.answer(keyOf(event));
  if (requestedMs !== undefined) m.approvalWaitDurationMs.observe(atMs - requestedMs);
}
