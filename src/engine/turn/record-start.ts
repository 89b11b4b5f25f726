import type { RunSession } from "../session/session.js";
import type { CommitBuilder } from "./commit.js";

/** A run that was queued, or whose process died before its first commit, is made but was never started. */
export function recordStart(
  session: RunSession,
  commit: CommitBuilder,
  { wasStarted }: { wasStarted: boolean },
): void {
  commit.event({
    type: "RunStarted",
    workflowName: session.workflowName,
    resumed: wasStarted,
    ownerId: session.ownerId,
  });
  if (!wasStarted) commit.run.startedAtMs = commit.now;
}
