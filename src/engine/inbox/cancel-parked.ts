import { taskKey } from "../../model/address.js";
import { ServiceError } from "../../errors/service-error.js";
import type { RunEvent } from "../../model/events.js";
import type { RunRow } from "../../model/run.js";
import { standing } from "../../scheduler/settle.js";
import { createState } from "../../scheduler/state.js";
import { step } from "../../scheduler/step.js";
import { AlertWatch } from "../alerts/alert-watch.js";
import { deliverLast } from "../alerts/deliver-last.js";
import { raiseEndAlerts } from "../alerts/raise.js";
import { CommitBuilder } from "../turn/commit.js";
import { leaveChildren } from "./left-children.js";
import { claimRun } from "../session/lease.js";
import { toSchedulerIntent } from "./inbox-intent.js";
import type { EngineServices, EngineWorkflow } from "../ports.js";
import { publish } from "../session/publish.js";
import { OutputIndex } from "../view/outputs.js";
import { recordStanding } from "../session/standing.js";

/** Who wants to be told: the alerts of the run's workflow, and whoever asked for the run. */
type Audience = Pick<EngineWorkflow, "alertRules" | "alertHandlers"> & {
  readonly onProgress?: ((event: RunEvent) => void) | undefined;
};

const NOBODY: Audience = { alertRules: [], alertHandlers: {} };

/**
 * Ends a run that nobody drives by the cancel request in its inbox. No workflow
 * is needed but for its alerts: nothing is rendered or run. False when somebody
 * claimed the run first; then that owner finds the request.
 */
export async function cancelParked(
  services: EngineServices,
  run: RunRow,
  { alertRules, alertHandlers, onProgress } = NOBODY,
): Promise<boolean> {
  const { store, clock, watch } = services;
  let lease: Awaited<ReturnType<typeof claimRun>>;
  try {
    lease = await claimRun(store, run, { clock, force: false });
  } catch (error) {
    if (ServiceError.is(error)) return false;
    throw error;
  }
  // A child of another workflow has other schemas, and none is needed to end it.
  const image = await store.loadRun(run.runId, { asStored: true });
  if (image === undefined) return false;
  watch?.onResume(image);
  const state = createState({
    maxConcurrency: 1,
    nodes: image.nodes,
    controls: image.controls,
    approvals: image.approvals,
  });
  const openAttempts = new Map(image.openAttempts.map((attempt) => [taskKey(attempt), attempt]));
  const ledger = { nextSeq: image.run.nextSeq, frameNo: image.run.frameNo, openAttempts };
  const commit = new CommitBuilder(state, ledger, lease, clock.now());
  for (const [key, { attempt }] of openAttempts) {
    const reason = "the process that ran it is gone";
    commit.add(step(state, { type: "attempt-interrupted", key, attempt, reason }, commit.now));
  }
  for (const row of image.intents) {
    const intent = toSchedulerIntent(row);
    if (intent.kind === "cancel") commit.add(step(state, { type: "intent", intent }, commit.now));
  }
  // Nothing is rendered: how it ends does not depend on the tree.
  commit.add(step(state, { type: "frame-unchanged" }, commit.now));
  const ending = {
    runId: run.runId,
    workflowName: run.workflowName,
    workflowPath: run.workflowPath,
    workflowHash: run.workflowHash,
    input: image.input,
    config: run.config,
    startedAtMs: run.startedAtMs ?? run.createdAtMs,
    state,
    outputs: new OutputIndex(),
    services,
    ownerId: lease.ownerId,
    followContinuation: false,
    status: run.status,
    nextRunId: null,
    error: null,
    alerts: new AlertWatch(alertRules, {
      fired: image.controls.filter((control) => control.kind === "alert"),
      startedAtMs: commit.now,
      nodes: [],
      rowOf: () => undefined,
    }),
    deliveries: new Set<string>(),
  };
  const stand = standing(state);
  recordStanding(ending, commit, stand);
  raiseEndAlerts(ending, commit, stand);
  if (commit.deliveries.length === 0) commit.run.release = true;
  const left = await leaveChildren(store, ending, commit);
  try {
    await store.commit(commit.build());
    publish({ runId: run.runId, events: commit.events, watch, onProgress });
    await endLeftChildren(services, left);
    if (commit.deliveries.length > 0) {
      await deliverLast(services, commit.deliveries, {
        runId: run.runId,
        handlers: alertHandlers,
        policy: ending.alerts,
        beginCommit: () => new CommitBuilder(state, ledger, lease, clock.now()),
      });
    }
  } finally {
    watch?.onRelease(run.runId);
  }
  return true;
}

/** Ends child runs that their parents gave up; one that somebody drives is ended by its owner, who finds the request. */
export async function endLeftChildren(services: EngineServices, left: readonly RunRow[]): Promise<void> {
  for (const child of left) await cancelParked(services, child);
}
