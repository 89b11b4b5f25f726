import { ServiceError } from "../../errors/service-error.js";
import type { RunEvent } from "../../model/events.js";
import type { RenderedFrame } from "../../model/graph.js";
import type { SchedulerIntent } from "../../scheduler/index.js";
import { drawn } from "../../renderer/frame-waits.js";
import { cancelLate } from "../inbox/cancel-late.js";
import type { RunResult, RunRow } from "../../model/run.js";
import type { CodeUpdates, EngineServices, EngineWorkflow } from "../ports.js";
import { driveRun, type Outcome } from "../run-loop.js";
import { withLease } from "../session/lease.js";
import type { PendingSession, RunSession } from "../session/session.js";
import type { CommitBuilder } from "../turn/commit.js";
import type { Awaitable } from "../../util/awaitable.js";
import { render } from "../turn/render-pending.js";
import { nameTable } from "../view/name-table.js";

/** Options that starting, resuming and continuing have in common. */
export interface DriveOptions {
  workflow: EngineWorkflow;
  signal?: AbortSignal;
  onProgress?: (event: RunEvent) => void;
  followContinuation: boolean;
  /** @default the code stays what it is */
  updates?: CodeUpdates | undefined;
}

/**
 * Before anything is written: a run whose first frame is broken is not begun, nor one that is given up before it can
 * be drawn.
 */
export async function renderFirst(
  session: PendingSession,
  { signal }: Pick<DriveOptions, "signal">,
): Promise<RenderedFrame> {
  try {
    const frame = await drawn(() => render(session.view), signal);
    session.firstFrame = frame;
    session.workflowName = frame.workflowName;
    return frame;
  } catch (error) {
    nameTable(session, error);
    session.view.frames.dispose();
    throw error;
  }
}

/** Between the first frame and the drive, which ends the frames itself: when that fails, their effects end too. */
export async function beforeDrive<T>(session: PendingSession, work: () => Awaitable<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    session.view.frames.dispose();
    throw error;
  }
}

/** Connects the caller's signal and drives. */
export async function drive(
  session: RunSession,
  options: DriveOptions,
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
    const outcome = await withLease(held, () => driveRun(session, open));
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

/** Its last commit had suspended the run by the time the signal was heard. */
async function endLate(
  session: RunSession,
  suspended: Outcome,
  { signal, onProgress }: DriveOptions,
): Promise<Outcome> {
  const why = cancellation(signal?.reason);
  const { runId } = session;
  const { workflow } = session.view;
  if (!(await cancelLate(session.services, { runId, workflow, onProgress, ...why }))) return suspended;
  session.status = "cancelled";
  return { kind: "cancelled", ...why };
}

/** The signal came while the first frame could not be drawn yet. */
export async function endUndrawn(
  services: EngineServices,
  { runId, status }: Pick<RunRow, "runId" | "status">,
  { workflow, signal, onProgress }: DriveOptions,
): Promise<RunResult> {
  if (!isCancelling(signal)) return { runId, status };
  const why = cancellation(signal?.reason);
  const isCancelled = await cancelLate(services, { runId, workflow, onProgress, ...why });
  return { runId, status: isCancelled ? "cancelled" : status };
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
