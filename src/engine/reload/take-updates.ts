import { serializeError } from "../../errors/ensure-error.js";
import { withoutSecrets } from "../attempt/without-secrets.js";
import type { CodeUpdate } from "../ports.js";
import { runRoot } from "../run-root.js";
import type { RunSession } from "../session/session.js";
import type { CommitBuilder } from "../turn/commit.js";
import { renderPending } from "../turn/render-pending.js";
import { swapCode } from "./swap-code.js";
import { tryView } from "./try-view.js";

/**
 * Takes newer code up, in the order it was saved: between two frames, in one
 * commit with everything that follows from it. A run that is about to end keeps its code.
 */
export function takeUpdates(session: RunSession, commit: CommitBuilder): void {
  const { updates } = session;
  if (updates === null || !goesOn(session, commit)) return;
  for (const update of updates.take()) takeUpdate(session, commit, update);
}

/** The frame is the newest one that the present code gives: whatever a reload changes shows against it. */
function goesOn(session: RunSession, commit: CommitBuilder): boolean {
  const { kind } = renderPending(session, commit);
  return (kind === "active" || kind === "start" || kind === "waiting") && session.state.cancelling === null;
}

function takeUpdate(session: RunSession, commit: CommitBuilder, update: CodeUpdate): void {
  const changedFiles = [...update.changedFiles];
  switch (update.type) {
    case "detected":
      return commit.event({ type: "WorkflowReloadDetected", changedFiles });
    case "failed":
      return recordFailure(session, commit, update);
    case "unsafe": {
      const error = told(session, update.error);
      return commit.event({ type: "WorkflowReloadUnsafe", reason: error.message, error, changedFiles });
    }
    case "loaded": {
      const trial = tryView(session, update.workflow);
      if ("view" in trial) swapCode(session, commit, { update, ...trial });
      else recordFailure(session, commit, { changedFiles, error: trial.error });
      update.tried("view" in trial);
      return;
    }
    default:
      update satisfies never;
  }
}

function recordFailure(
  session: RunSession,
  commit: CommitBuilder,
  { error, changedFiles }: { error: unknown; changedFiles: readonly string[] },
): void {
  commit.event({
    type: "WorkflowReloadFailed",
    error: told(session, error),
    changedFiles: [...changedFiles],
  });
}

function told({ config }: RunSession, error: unknown) {
  return withoutSecrets(serializeError(error, runRoot(config)));
}
