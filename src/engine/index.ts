// The door of this folder: what other folders may use. The architecture test holds that they use nothing else.

export { resolveAlertPolicy } from "./alerts/rules.js";
export { LiveText, type TextPiece } from "./attempt/live-text.js";
export { LocalDispatcher } from "./attempt/local-dispatcher.js";
export { mountStored, type StoredMount } from "./attempt/mount-stored.js";
export { surviveStrayErrors, withholdExit } from "./attempt/process-guard.js";
export { toStoredRow } from "./attempt/task-row.js";
export { keptError } from "./attempt/without-secrets.js";
export { currentAttempt, getTaskRuntime } from "./attempt/task-runtime.js";
export { crashTriggerFrom } from "./crash-points.js";
export { resumeRun } from "./drive/resume-run.js";
export { startRun } from "./drive/start-run.js";
export { cancelSuspended } from "./inbox/cancel-suspended.js";
export type { ChildRunEnd, ChildRunRequest, ChildRuns } from "./child-runs.js";
export type {
  AttemptHandle,
  AttemptJob,
  AttemptLink,
  AttemptReport,
  CodeUpdate,
  CodeUpdates,
  EngineServices,
  EngineWorkflow,
  LeftAttempt,
  MountedRun,
  ScoreJob,
  ScoreOutcome,
  TaskDispatcher,
} from "./ports.js";
export { storedLedger } from "./budgets/stored-ledger.js";
export type { GivenFact } from "./memory/found-in-memory.js";
export { applyRewind } from "./past/apply-rewind.js";
export { type EffectCall, effectNames, effectsSince } from "./past/effects-since.js";
export { revertCalls } from "./past/revert-calls.js";
export { type RevertibleCall, revertibleCalls } from "./past/revertible-calls.js";
export { planRewind, type RewindPlan } from "./past/plan-rewind.js";
export { forkOf } from "./past/fork-of.js";
export { type Past, pastOf } from "./past/past-of.js";
export { withoutNodes } from "./past/without-nodes.js";
export { applyReset } from "./reset/apply-reset.js";
export { childWorkflows } from "./reset/child-workflows.js";
export { planAround } from "./reset/frame-around.js";
export { planReset, type ResetRequest } from "./reset/plan-reset.js";
export { isReopened } from "./reset/reopen.js";
export { renderRunSnapshot, type ResetPlan } from "./reset/reset-snapshot.js";
export { outputOf, RESULT_KEY, summaryFields } from "./result.js";
export { runRoot } from "./run-root.js";
export {
  claimRun,
  HEARTBEAT_MS,
  isAliveAt,
  isClaimedByOthers,
  isOwned,
  isSignOfLife,
  STALE_HEARTBEATS,
  withLease,
} from "./session/lease.js";
export { newRunSnapshot } from "./session/new-snapshot.js";
export { openRun } from "./session/open-run.js";
export { areRunsAtWork } from "./session/runs-at-work.js";
export { publish } from "./session/publish.js";
export type { PendingSession } from "./session/session.js";
export { TaskCap } from "./slots/task-cap.js";
export type { HandedOver } from "./tasks/hand-over.js";
export { changeRefused } from "./turn/change-check.js";
export { render } from "./turn/render-pending.js";
export { codeName } from "./view/code-name.js";
export { engineWorkflow } from "./workflow-source.js";
