import type { RunEvent } from "../../model/events.js";
import { isTerminal, type RunRow } from "../../model/run.js";
import type { Lease, RunSnapshot } from "../../store/index.js";
import { AlertWatch } from "../alerts/alert-watch.js";
import { deliverLast } from "../alerts/deliver-last.js";
import { raiseEndAlerts } from "../alerts/raise.js";
import { CommitBuilder } from "../turn/commit.js";
import { leaveChildren } from "./left-children.js";
import { memoryOf } from "../session/snapshot-memory.js";
import { pastEnds } from "../session/past-ends.js";
import { claimRun, isClaimedByOthers, withLease } from "../session/lease.js";
import { toSchedulerIntent } from "./inbox-intent.js";
import type { EngineServices, EngineWorkflow } from "../ports.js";
import { cancelledScore, recordScore } from "../scores/record-score.js";
import { publish } from "../session/publish.js";
import { OutputIndex } from "../view/outputs.js";
import { recordDisposition } from "../session/disposition.js";

/** Receivers of the end: the alerts of the run's workflow, and the caller that asked for the run. */
type Audience = Pick<EngineWorkflow, "alertRules" | "alertHandlers"> & {
  readonly onProgress?: ((event: RunEvent) => void) | undefined;
};

const NO_AUDIENCE: Audience = { alertRules: [], alertHandlers: {} };

/**
 * Ends a run that no process drives by the cancel request in its inbox. No workflow
 * is needed but for its alerts: nothing is rendered or run.
 * @returns the number of the event RunCancelled; null when a process claimed the run first, who then finds the
 * request, or has brought it to its end
 */
export async function cancelSuspended(
  services: EngineServices,
  run: RunRow,
  audience: Audience = NO_AUDIENCE,
): Promise<number | null> {
  const { store, clock, watch } = services;
  if (isTerminal(run.status)) return null;
  let lease: Lease;
  try {
    lease = await claimRun(store, run, { clock, force: false });
  } catch (error) {
    if (isClaimedByOthers(error)) return null;
    throw error;
  }
  return withLease({ store, lease }, async () => {
    // A child of another workflow has other schemas, and none is needed to end it.
    const runSnapshot = await store.loadRun(run.runId, { asStored: true });
    if (runSnapshot === undefined) return null;
    const past = await pastEnds(store, run.runId);
    watch?.onResume({ ...runSnapshot, lastSeenMs: run.heartbeatAtMs, past });
    try {
      return await endByRequest(services, { runSnapshot, lease }, audience);
    } finally {
      watch?.onRelease(run.runId);
    }
  });
}

async function endByRequest(
  services: EngineServices,
  { runSnapshot, lease }: { runSnapshot: RunSnapshot; lease: Lease },
  { alertRules, alertHandlers, onProgress }: Audience,
): Promise<number | null> {
  const { store, clock, watch } = services;
  const { run } = runSnapshot;
  const { scheduler, ledger } = memoryOf(runSnapshot);
  const state = scheduler.view;
  const commit = new CommitBuilder(state, ledger, lease, clock.now());
  for (const [key, { attempt }] of ledger.openAttempts) {
    const reason = "the process that ran it is gone";
    commit.add(scheduler.step({ type: "attempt-interrupted", key, attempt, reason }, commit.now));
  }
  for (const row of runSnapshot.intents) {
    const intent = toSchedulerIntent(row);
    if (intent.kind === "cancel") commit.add(scheduler.step({ type: "intent", intent }, commit.now));
  }
  // Nothing is rendered: how it ends does not depend on the tree.
  commit.add(scheduler.step({ type: "frame-unchanged" }, commit.now));
  const ending = {
    ...run,
    input: runSnapshot.input,
    view: { workflow: { loaded: runSnapshot.loaded } },
    startedAtMs: run.startedAtMs ?? run.createdAtMs,
    scheduler,
    state,
    outputs: new OutputIndex(store),
    services,
    ownerId: lease.ownerId,
    followContinuation: false,
    nextRunId: null,
    error: null,
    alerts: new AlertWatch(alertRules, {
      fired: runSnapshot.controls.filter((control) => control.kind === "alert"),
      startedAtMs: commit.now,
      nodes: [],
      rowOf: () => undefined,
    }),
    deliveries: new Set<string>(),
  };
  const stand = scheduler.disposition;
  for (const row of runSnapshot.pendingScores) recordScore(commit, row, cancelledScore(row));
  recordDisposition(ending, commit, stand);
  raiseEndAlerts(ending, commit, stand);
  if (commit.deliveries.length === 0) commit.run.release = true;
  const left = await leaveChildren(store, ending, commit);
  await store.commit(commit.build());
  publish({ runId: run.runId, events: commit.events, watch, onProgress });
  await endLeftChildren(services, left);
  const seq = commit.seqOf("RunCancelled");
  if (commit.deliveries.length === 0) return seq;
  await deliverLast(services, commit.deliveries, {
    runId: run.runId,
    handlers: alertHandlers,
    policy: ending.alerts,
    beginCommit: () => new CommitBuilder(state, ledger, lease, clock.now()),
  });
  return seq;
}

/** Ends child runs that their parents gave up; one that a process drives is ended by its owner, who finds the request. */
export async function endLeftChildren(services: EngineServices, left: readonly RunRow[]): Promise<void> {
  for (const child of left) await cancelSuspended(services, child);
}
