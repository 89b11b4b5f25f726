import { signalReceived } from "../../scheduler/index.js";
import type { RunSession } from "../session/session.js";
import type { CommitBuilder } from "../turn/commit.js";

/** Tells of the signals that came while no process drove the run. */
export function announceArrived(
  { unannouncedSignals, seenIntents }: RunSession,
  commit: CommitBuilder,
): void {
  for (const signal of unannouncedSignals) commit.event(signalReceived(signal));
  for (const id of seenIntents) noteSeen(commit, id);
}

/** Whether the scheduler has yet to be told of it; it is, in this commit. */
export function isNews({ seenIntents }: RunSession, commit: CommitBuilder, id: number): boolean {
  if (seenIntents.has(id)) return false;
  seenIntents.add(id);
  noteSeen(commit, id);
  return true;
}

/** What comes after it is news to the process that drives the run next, and to the process that looks after it until then. */
function noteSeen({ run }: CommitBuilder, id: number): void {
  run.seenIntent = Math.max(run.seenIntent ?? 0, id);
}
