import { parseTaskKey, taskKey } from "../model/address.js";
import { applyDelta } from "../graph/frame-delta.js";
import { ServiceError } from "../errors/service-error.js";
import type { RunEvent } from "../model/events.js";
import type { RenderedFrame } from "../model/graph.js";
import type { RunConfig, RunResult, RunRow } from "../model/run.js";
import type { ResumeClaim } from "../model/run-options.js";
import type { FormerOwner, Lease, NewRun, RunImage } from "../store/contract.js";
import { advance } from "./turn/advance.js";
import { storedCheckpoints } from "./turn/checkpoints.js";
import { changeRefused, compareTasks } from "./turn/change-check.js";
import type { CommitBuilder } from "./turn/commit.js";
import { claimRun, refuseClaimedSince, releasedOnFailure } from "./session/lease.js";
import { newOwnerId } from "./session/owner.js";
import { writeGroupOf } from "./session/write-group.js";
import { giveLease, openSession, type PendingSession, type SessionSeed } from "./session/open-session.js";
import type { EngineServices, EngineWorkflow } from "./ports.js";
import { cancelLate } from "./inbox/cancel-late.js";
import { toRunResult } from "./result.js";
import { recordReset } from "./reset/record-reset.js";
import { hasEndedEarly, revive } from "./reset/revive.js";
import type { SchedulerIntent } from "../scheduler/intents.js";
import { driveRun, type Outcome } from "./run-loop.js";
import { render } from "./turn/render-pending.js";
import type { RunSession } from "./session/session.js";
import { seedOutputs } from "./session/seed-outputs.js";

/** What starting and resuming have in common. */
export interface DriveOptions {
  signal?: AbortSignal;
  onProgress?: (event: RunEvent) => void;
  followContinuation: boolean;
}

export interface StartRequest extends DriveOptions {
  runId: string;
  parentRunId: string | null;
  workflowPath: string | null;
  /** Validated. */
  input: Record<string, unknown>;
  config: RunConfig;
  initialOutputs?: Record<string, Record<string, unknown>[]>;
}

export interface ResumeRequest extends DriveOptions {
  runId: string;
  force: boolean;
  acceptWorkflowChange: boolean;
  resumeClaim?: ResumeClaim;
  /** The run's epoch when it was chosen: whoever has claimed it since has maybe ended it too. */
  seenEpoch?: number;
  /** Replaces stored options where given. */
  config?: Partial<RunConfig>;
}

/**
 * Starts a run and drives it until it ends or only waits.
 * @throws what the first render throws; nothing is written then. RUN_EXISTS
 */
export function startRun(
  services: EngineServices,
  workflow: EngineWorkflow,
  request: StartRequest,
): Promise<RunResult> {
  return writeGroupOf(services.store).during(() => start(services, workflow, request));
}

async function start(
  services: EngineServices,
  workflow: EngineWorkflow,
  request: StartRequest,
): Promise<RunResult> {
  const seeded = seedOutputs(services, request);
  const session = openSession(services, {
    ...request,
    workflow,
    status: "running",
    nodes: seeded.nodes,
    outputs: seeded.outputs,
  });
  renderFirst(session);
  const ownerId = newOwnerId();
  const run: NewRun = {
    runId: request.runId,
    parentRunId: request.parentRunId,
    workflowName: session.workflowName,
    workflowPath: request.workflowPath,
    workflowHash: workflow.workflowHash,
    config: request.config,
    input: request.input,
    ownerId,
    nowMs: services.clock.now(),
    ...(seeded.nodes.length > 0 && {
      seed: { nodes: seeded.nodes, outputs: seeded.writes, controls: [], approvals: [], attempts: [] },
    }),
  };
  await writeGroupOf(services.store).write({ type: "create", run });
  services.crash?.("run-created");
  const leased = giveLease(session, { runId: request.runId, ownerId, epoch: 1 });
  const outcome = await drive(leased, { ...request, workflow }, (commit) =>
    recordStart(leased, commit, { resumed: false, wasStarted: false }),
  );
  return follow(services, workflow, { session: leased, outcome, request });
}

/**
 * Continues a stored run.
 * @throws RUN_NOT_FOUND, RUN_NOT_RESUMABLE, RUN_OWNER_ALIVE, RUN_STILL_RUNNING,
 * RUN_RESUME_CLAIM_FAILED, RUN_RESUME_CLAIM_LOST, RESUME_METADATA_MISMATCH
 */
export function resumeRun(
  services: EngineServices,
  workflow: EngineWorkflow,
  request: ResumeRequest,
): Promise<RunResult> {
  return writeGroupOf(services.store).during(() => resume(services, workflow, request));
}

async function resume(
  services: EngineServices,
  workflow: EngineWorkflow,
  request: ResumeRequest,
): Promise<RunResult> {
  const { store } = services;
  const run = await store.getRun(request.runId);
  if (run === undefined) throw new ServiceError("RUN_NOT_FOUND", `There is no run ${request.runId}.`);
  refuseClaimedSince(run, request.seenEpoch);
  refuseUnresumable(run);
  services.crash?.("before-claim");
  const lease = await claim(services, run, request);
  services.crash?.("after-claim");
  const { image, revival, session, changes } = await releasedOnFailure(
    { store, lease, formerly: ownerBefore(request) },
    async () => {
      const stored = await store.loadRun(request.runId);
      if (stored === undefined) throw new ServiceError("RUN_NOT_FOUND", `Run ${request.runId} was deleted.`);
      const { image, revival } = hasEndedEarly(stored.run)
        ? revive(services, workflow, stored)
        : { image: stored, revival: null };
      const durations = await endedDurations(services, run);
      const checkpoints = await storedCheckpoints(store, request.runId, image.nodes);
      const seed = seedFromImage(workflow, image, {
        ...request,
        durations,
        checkpoints,
        formerOwner: run.ownerId,
      });
      const session = openSession(services, seed);
      const frame = renderFirst(session);
      const before = seed.lastSnapshot?.snapshot.tasks;
      const changes = before === undefined ? [] : compareTasks(before, revival?.frame ?? frame);
      if (changes.length > 0 && !request.acceptWorkflowChange) {
        session.frames.dispose();
        throw changeRefused(run.runId, changes);
      }
      if ((await store.resumeFailure(run.runId)) !== undefined) await store.setResumeFailure(run.runId, null);
      return { image, revival, session, changes };
    },
  );
  const leased = giveLease(session, lease);
  services.watch?.onResume(image);
  const outcome = await drive(leased, { ...request, workflow }, (commit) => {
    recordStart(leased, commit, { resumed: true, wasStarted: image.run.startedAtMs !== null });
    if (changes.length > 0) commit.event({ type: "WorkflowChangeAccepted", changes });
    if (revival !== null) {
      // The log says which nodes of a block that begins again are open once more, those that had finished too.
      for (const key of revival.reset.keys) commit.event({ type: "NodePending", ...parseTaskKey(key) });
      recordReset(commit, image, revival.reset);
    }
    recordRestart(leased, commit, image);
  });
  return follow(services, workflow, { session: leased, outcome, request });
}

function refuseUnresumable(run: RunRow): void {
  if (run.status !== "continued" && run.status !== "finished") return;
  const next = run.nextRunId === null ? "" : ` It went on as run ${run.nextRunId}.`;
  throw new ServiceError("RUN_NOT_RESUMABLE", `Run ${run.runId} is ${run.status}.${next}`, {
    details: { runId: run.runId, status: run.status, nextRunId: run.nextRunId },
  });
}

/** Whose a run is again when a claim made by a supervisor cannot be used; undefined = nobody's. */
function ownerBefore({ resumeClaim }: ResumeRequest): FormerOwner | undefined {
  if (resumeClaim?.restoreRuntimeOwnerId === undefined) return undefined;
  const { restoreRuntimeOwnerId: ownerId, restoreHeartbeatAtMs: heartbeatAtMs = null } = resumeClaim;
  return { ownerId, heartbeatAtMs };
}

/** Uses a claim that a supervisor made for this process, or makes one. */
function claim(services: EngineServices, run: RunRow, request: ResumeRequest): Promise<Lease> {
  const { resumeClaim, force } = request;
  if (resumeClaim === undefined) return claimRun(services.store, run, { clock: services.clock, force });
  const isHeld =
    run.ownerId === resumeClaim.claimOwnerId && run.heartbeatAtMs === resumeClaim.claimHeartbeatAtMs;
  if (!isHeld) {
    throw new ServiceError(
      "RUN_RESUME_CLAIM_LOST",
      `The claim on run ${run.runId} is held by somebody else.`,
      { details: { runId: run.runId, ownerId: run.ownerId } },
    );
  }
  const claimedFrom = resumeClaim.restoreRuntimeOwnerId;
  return claimRun(services.store, run, { clock: services.clock, force: true, claimedFrom });
}

function renderFirst(session: PendingSession): RenderedFrame {
  try {
    const frame = render(session);
    session.firstFrame = frame;
    session.workflowName = frame.workflowName;
    return frame;
  } catch (error) {
    session.frames.dispose();
    throw error;
  }
}

type Driving = DriveOptions & { workflow: EngineWorkflow };

/** Connects the caller's signal and drives. */
async function drive(
  session: RunSession,
  options: Driving,
  open: (commit: CommitBuilder) => void,
): Promise<Outcome> {
  const { signal } = options;
  const cancelRequest = (): SchedulerIntent => {
    return { id: -1, atMs: session.services.clock.now(), kind: "cancel", ...cancellation(signal?.reason) };
  };
  const onAbort = () => {
    const reason: unknown = signal?.reason;
    if (ServiceError.is(reason, "PROCESS_ABORTED")) {
      session.mailbox.post({ type: "stop", reason: reason.summary });
      return;
    }
    session.mailbox.post({ type: "scheduler", event: { type: "intent", intent: cancelRequest() } });
  };
  // In the first turn: a run that only waits takes no second one.
  if (isCancelling(signal)) session.seedIntents.push(cancelRequest());
  else if (signal?.aborted === true) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const held = { store: session.services.store, lease: session.lease };
    const outcome = await releasedOnFailure(held, () => driveRun(session, open));
    const isLate = outcome.kind === "waiting" && isCancelling(signal) && session.state.cancelling === null;
    return isLate ? await endLate(session, outcome, options) : outcome;
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

/** A signal may also end the process's part only, which leaves the run waiting. */
function isCancelling(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && !ServiceError.is(signal.reason, "PROCESS_ABORTED");
}

/** Its last commit had parked the run by the time the signal was heard. */
async function endLate(
  session: RunSession,
  parked: Outcome,
  { workflow, signal, onProgress }: Driving,
): Promise<Outcome> {
  const why = cancellation(signal?.reason);
  const { runId } = session;
  if (!(await cancelLate(session.services, { runId, workflow, onProgress, ...why }))) return parked;
  session.status = "cancelled";
  return { kind: "cancelled", ...why };
}

/** A RUN_CANCELLED says in its details who cancels, and why. */
function cancellation(reason: unknown): { reason: string; requestedBy?: string } {
  const { details } = ServiceError.is(reason, "RUN_CANCELLED") ? reason : { details: undefined };
  const { reason: why, requestedBy } = details ?? {};
  return {
    reason: typeof why === "string" ? why : "its signal was aborted",
    ...(typeof requestedBy === "string" && { requestedBy }),
  };
}

/** Drives the runs that continue this one, or says how it ended. */
async function follow(
  services: EngineServices,
  workflow: EngineWorkflow,
  run: { session: RunSession; outcome: Outcome; request: DriveOptions },
): Promise<RunResult> {
  let { session, outcome } = run;
  const { request } = run;
  while (outcome.kind === "continued" && request.followContinuation && session.nextRunId !== null) {
    const image = await services.store.loadRun(session.nextRunId);
    if (image === undefined) break;
    const next = openSession(services, seedFromImage(workflow, image, request));
    const lease = { runId: image.run.runId, ownerId: session.ownerId, epoch: image.run.epoch };
    await releasedOnFailure({ store: services.store, lease }, async () => renderFirst(next));
    session = giveLease(next, lease);
    const current = session;
    outcome = await drive(current, { ...request, workflow }, (commit) =>
      recordStart(current, commit, { resumed: false, wasStarted: false }),
    );
  }
  return toRunResult(session, outcome);
}

function recordStart(
  session: RunSession,
  commit: CommitBuilder,
  { resumed, wasStarted }: { resumed: boolean; wasStarted: boolean },
): void {
  commit.event({
    type: "RunStarted",
    workflowName: session.workflowName,
    resumed,
    ownerId: session.ownerId,
  });
  // A process may die between creating a run and its first commit.
  if (!wasStarted) commit.run.startedAtMs = commit.now;
}

/** Closes what the last owner left open, lifts pauses, and lets an ended run run again. */
function recordRestart(session: RunSession, commit: CommitBuilder, image: RunImage): void {
  for (const { nodeId, iteration, attempt } of image.openAttempts) {
    advance(session, commit, {
      type: "attempt-interrupted",
      key: taskKey({ nodeId, iteration }),
      attempt,
      reason: "the process that ran it is gone",
      byDeath: true,
    });
  }
  advance(session, commit, { type: "resume" });
  for (const control of image.controls) {
    if (control.kind !== "alert" || control.destination === null) continue;
    session.deliveries.add(control.id);
    commit.deliveries.push(control);
  }
  if (!hasEndedEarly(image.run)) return;
  commit.run.status = "running";
  commit.run.error = null;
  commit.run.finishedAtMs = null;
  commit.event({ type: "RunStatusChanged", status: "running" });
  for (const row of image.nodes) {
    if (row.state === "pending") commit.add([{ type: "node", key: taskKey(row) }]);
  }
}

function seedFromImage(
  workflow: EngineWorkflow,
  image: RunImage,
  request: DriveOptions &
    Pick<ResumeRequest, "config"> &
    Pick<SessionSeed, "durations" | "checkpoints" | "formerOwner">,
): SessionSeed {
  const { run } = image;
  const snapshot = image.lastSnapshot.length === 0 ? undefined : applyDelta(image.lastSnapshot);
  return {
    ...request,
    runId: run.runId,
    workflow,
    workflowPath: run.workflowPath,
    input: image.input,
    config: { ...run.config, ...request.config },
    status: hasEndedEarly(run) ? "running" : run.status,
    nodes: image.nodes,
    controls: image.controls,
    startedAtMs: run.startedAtMs,
    approvals: image.approvals,
    outputs: image.outputs,
    intents: image.intents,
    openAttempts: image.openAttempts,
    formerOwner: request.formerOwner ?? null,
    usage: image.usage,
    ...(snapshot !== undefined && {
      lastSnapshot: { snapshot, chainLength: image.lastSnapshot.length },
    }),
    nextSeq: run.nextSeq,
    frameNo: run.frameNo,
  };
}

/** What came along from an earlier run of a chain was that run's to spend. */
async function endedDurations({ store }: EngineServices, { runId, createdAtMs }: RunRow) {
  return (await store.listAttempts(runId)).flatMap(
    ({ nodeId, iteration, startedAtMs, finishedAtMs, meta }) =>
      finishedAtMs === null || startedAtMs < createdAtMs
        ? []
        : {
            key: taskKey({ nodeId, iteration }),
            durationMs: finishedAtMs - startedAtMs,
            childTokens: meta?.childTokens,
          },
  );
}
