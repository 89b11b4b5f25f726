import { keptError } from "../attempt/without-secrets.js";
import type { CodeUpdate, LoadedUpdate } from "../ports.js";
import type { LateCode, RunSession } from "../session/session.js";
import type { CommitBuilder } from "../turn/commit.js";
import { renderPending } from "../turn/render-pending.js";
import { swapCode } from "./swap-code.js";
import { closeView, tryView } from "./try-view.js";

/**
 * Takes newer code up, in the order it was saved: between two frames, in one
 * commit with everything that follows from it. A run that is about to end keeps its code.
 */
export function takeUpdates(session: RunSession, commit: CommitBuilder): void {
  const { updates } = session;
  if (updates === null || !continues(session, commit)) return;
  const queue = updates.take();
  const { lateCode } = session;
  if (lateCode !== null) {
    session.lateCode = null;
    closeView(lateCode.view);
    const { update, waits } = lateCode;
    if (waits.tooLong === null) queue.unshift(update);
    else refuse(session, commit, { update, error: waits.tooLong });
  }
  for (const [index, update] of queue.entries()) {
    const isOvertaken = queue.some(({ type }, other) => other > index && type === "loaded");
    takeUpdate(session, commit, { update, isOvertaken, before: lateCode });
  }
}

/** The frame is the newest one that the present code gives: whatever a reload changes shows against it. */
function continues(session: RunSession, commit: CommitBuilder): boolean {
  const { kind } = renderPending(session, commit);
  return (kind === "active" || kind === "start" || kind === "waiting") && session.state.cancelling === null;
}

function takeUpdate(
  session: RunSession,
  commit: CommitBuilder,
  { update, isOvertaken, before }: { update: CodeUpdate; isOvertaken: boolean; before: LateCode | null },
): void {
  const changedFiles = [...update.changedFiles];
  switch (update.type) {
    case "detected":
      return commit.event({ type: "WorkflowReloadDetected", changedFiles });
    case "failed":
      return recordFailure(session, commit, update);
    case "unsafe": {
      const error = reported(session, update.error);
      return commit.event({ type: "WorkflowReloadUnsafe", reason: error.message, error, changedFiles });
    }
    case "loaded": {
      const trial = tryView(session, update.workflow);
      if ("error" in trial) return refuse(session, commit, { update, error: trial.error });
      if ("waits" in trial) {
        if (before?.update === update) trial.waits.goOnFrom(before.waits);
        return tryLater(session, { update, isOvertaken, ...trial });
      }
      swapCode(session, commit, { update, ...trial });
      return update.tried(true);
    }
    default:
      update satisfies never;
  }
}

function refuse(
  session: RunSession,
  commit: CommitBuilder,
  { update, error }: { update: LoadedUpdate; error: unknown },
): void {
  recordFailure(session, commit, { changedFiles: update.changedFiles, error });
  update.tried(false);
}

/** The run continues with the code that it has until then. Code that was saved since comes instead. */
function tryLater(session: RunSession, late: LateCode & { isOvertaken: boolean }): void {
  const { update, view, waits, isOvertaken } = late;
  if (isOvertaken) {
    closeView(view);
    return update.tried(false);
  }
  const own = { update, view, waits };
  session.lateCode = own;
  void waits.settled().then(() => {
    // It also settles when it is closed, which is done to try it once more.
    if (session.lateCode === own) session.mailbox.post({ type: "code" });
  });
}

function recordFailure(
  session: RunSession,
  commit: CommitBuilder,
  { error, changedFiles }: { error: unknown; changedFiles: readonly string[] },
): void {
  commit.event({
    type: "WorkflowReloadFailed",
    error: reported(session, error),
    changedFiles: [...changedFiles],
  });
}

function reported({ config }: RunSession, error: unknown) {
  return keptError(error, config);
}
