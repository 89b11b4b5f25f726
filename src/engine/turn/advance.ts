import type { SchedulerEvent } from "../../scheduler/index.js";
import { raiseMoments } from "../alerts/raise.js";
import type { CommitBuilder } from "./commit.js";
import { type RunSession, notifyScheduler } from "../session/session.js";

/** Takes the run one step on. An alert about what has happened comes before anything that starts because of it. */
export function advance(session: RunSession, commit: CommitBuilder, event: SchedulerEvent): void {
  notifyScheduler(session, commit, event);
  raiseMoments(session, commit);
}
