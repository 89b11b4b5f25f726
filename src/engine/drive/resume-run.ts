import { ServiceError } from "../../errors/service-error.js";
import { parseTaskKey } from "../../model/address.js";
import { hasEndedForGood, type RunResult, type RunRow } from "../../model/run.js";
import type { ResumeClaim } from "../../model/run-options.js";
import type { FormerOwner, Lease } from "../../store/index.js";
import type { EngineServices, EngineWorkflow } from "../ports.js";
import { recordReset } from "../reset/apply-reset.js";
import { claimRun, refuseClaimedSince, withLease } from "../session/lease.js";
import { giveLease } from "../session/open-run.js";
import { pastEnds } from "../session/past-ends.js";
import { RunAtWork } from "../session/runs-at-work.js";
import { recordSeeded } from "../session/seed-resumed.js";
import type { RunSession } from "../session/session.js";
import { writeGroupOf } from "../session/write-group.js";
import type { CommitBuilder } from "../turn/commit.js";
import { recordStart } from "../turn/record-start.js";
import { foundAttempts } from "./adopt-attempts.js";
import { drive, endUndrawn } from "./drive.js";
import { recordRestart } from "./first-turn.js";
import { followChain } from "./follow-chain.js";
import { type Reopened, type ReopenOptions, reopenSession } from "./reopen-session.js";

export interface ResumeRequest extends Omit<ReopenOptions, "workflow"> {
  runId: string;
  force: boolean;
  resumeClaim?: ResumeClaim;
  /** The run's epoch when it was chosen: a process that has claimed it since has maybe ended it too. */
  seenEpoch?: number;
}

/**
 * Continues a stored run.
 * @throws RUN_NOT_FOUND, RUN_NOT_RESUMABLE, RUN_OWNER_ALIVE, RUN_STILL_RUNNING,
 * RUN_RESUME_CLAIM_FAILED, RUN_RESUME_CLAIM_LOST, RESUME_METADATA_MISMATCH; INVALID_INPUT, INVALID_OUTPUT and
 * UNKNOWN_OUTPUT_SCHEMA for `initialOutputs`
 */
export function resumeRun(
  services: EngineServices,
  workflow: EngineWorkflow,
  request: ResumeRequest,
): Promise<RunResult> {
  return writeGroupOf(services.store).during(() => enterAndResume(services, workflow, request));
}

async function enterAndResume(
  services: EngineServices,
  workflow: EngineWorkflow,
  request: ResumeRequest,
): Promise<RunResult> {
  const run = await services.store.getRun(request.runId);
  if (run === undefined) throw new ServiceError("RUN_NOT_FOUND", `There is no run ${request.runId}.`);
  refuseClaimedSince(run, request.seenEpoch);
  refuseUnresumable(run);
  const place = await RunAtWork.enter(run);
  return resume(services, workflow, { request, run, place }).finally(() => place.leave());
}

async function resume(
  services: EngineServices,
  workflow: EngineWorkflow,
  { request, run, place }: { request: ResumeRequest; run: RunRow; place: RunAtWork },
): Promise<RunResult> {
  const { store } = services;
  services.crash?.("before-claim");
  const { inCompany } = place;
  const lease = await claim(services, run, { ...request, inCompany });
  services.crash?.("after-claim");
  const options = { ...request, workflow };
  const formerly = ownerBefore(run, request);
  const former = formerly ?? run;
  const held = { store, lease, formerly };
  await place.hold(store, lease, inCompany);
  const opening = withLease(held, async () => {
    const past = await pastEnds(store, run.runId);
    return { past, ...(await reopenSession(services, run, options)) };
  });
  const reopened = await opening.catch((error: unknown) => {
    if (error !== request.signal?.reason) throw error;
    return null;
  });
  if (reopened === null) return endUndrawn(services, run, options);
  const { runSnapshot, reopening, session, changes, seeded, suspects, past } = reopened;
  const leased = giveLease(session, lease);
  services.watch?.onResume({ ...runSnapshot, lastSeenMs: former.heartbeatAtMs, past });
  const found = await withLease(held, () => foundAttempts(leased, runSnapshot));
  const outcome = await drive(leased, options, (commit) => {
    // A process that only looks for newer code releases the run, which says the same.
    if (request.isForCode !== true && !inCompany) commit.run.lostStarts = 0;
    if (request.isForCode === true) leased.isVisit = true;
    else recordStart(leased, commit, { wasStarted: runSnapshot.run.startedAtMs !== null });
    if (leased.workflowName !== runSnapshot.run.workflowName) commit.run.workflowName = leased.workflowName;
    recordCode(leased, commit, { runSnapshot, changes });
    if (reopening !== null) {
      // The log says which nodes of a block that begins again are open once more, those that had finished too.
      for (const key of reopening.reset.keys) commit.event({ type: "NodePending", ...parseTaskKey(key) });
      recordReset(commit, runSnapshot, reopening.reset);
    }
    recordRestart(leased, commit, {
      ...{ runSnapshot, suspects, found, lastSeenMs: former.heartbeatAtMs },
    });
    if (seeded !== null) recordSeeded(commit, seeded);
  });
  return followChain(services, { session: leased, outcome, place }, options);
}

/** The accepted change is in the log; the next resume compares with the code that this one has, and workers with that code take the run. */
function recordCode(
  { view }: RunSession,
  commit: CommitBuilder,
  { runSnapshot, changes: { tasks, files } }: Pick<Reopened, "runSnapshot" | "changes">,
): void {
  if (tasks.length > 0 || files.length > 0) {
    commit.event({
      type: "WorkflowChangeAccepted",
      changes: [...tasks],
      ...(files.length > 0 && { files: [...files] }),
    });
  }
  const { workflowHash } = view.workflow;
  if (workflowHash !== null && workflowHash !== runSnapshot.run.workflowHash)
    commit.run.workflowHash = workflowHash;
  if (runSnapshot.loaded === null || files.length > 0) commit.loaded = view.workflow.loaded;
}

function refuseUnresumable(run: RunRow): void {
  if (!hasEndedForGood(run)) return;
  const next = run.nextRunId === null ? "" : ` It continued as run ${run.nextRunId}.`;
  throw new ServiceError("RUN_NOT_RESUMABLE", `Run ${run.runId} is ${run.status}.${next}`, {
    details: { runId: run.runId, status: run.status, nextRunId: run.nextRunId },
  });
}

/** Whose a run is again when its claim cannot be used: a dead process's, as before; undefined = no owner. */
function ownerBefore(run: RunRow, { resumeClaim, force }: ResumeRequest): FormerOwner | undefined {
  if (resumeClaim?.restoreRuntimeOwnerId === undefined) {
    const { ownerId, heartbeatAtMs, inCompany } = run;
    // An owner that was overruled may live, and has lost the run.
    const isRestored = resumeClaim === undefined && !force && ownerId !== null;
    return isRestored ? { ownerId, heartbeatAtMs, inCompany } : undefined;
  }
  const { restoreRuntimeOwnerId: ownerId, restoreHeartbeatAtMs: heartbeatAtMs = null } = resumeClaim;
  return { ownerId, heartbeatAtMs };
}

/** Uses a claim that a supervisor made for this process, or makes one. */
function claim(
  { store, clock }: EngineServices,
  run: RunRow,
  { resumeClaim, force, inCompany }: ResumeRequest & { inCompany: boolean },
): Promise<Lease> {
  if (resumeClaim === undefined) return claimRun(store, run, { clock, force, inCompany });
  const isHeld =
    run.ownerId === resumeClaim.claimOwnerId && run.heartbeatAtMs === resumeClaim.claimHeartbeatAtMs;
  if (!isHeld) {
    throw new ServiceError(
      "RUN_RESUME_CLAIM_LOST",
      `The claim on run ${run.runId} is held by another process.`,
      { details: { runId: run.runId, ownerId: run.ownerId } },
    );
  }
  const claimedFrom = resumeClaim.restoreRuntimeOwnerId;
  return claimRun(store, run, { clock, force: true, claimedFrom, inCompany });
}
