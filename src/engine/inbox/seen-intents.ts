import { signalReceived } from "../../scheduler/index.js";
import type { RunSession } from "../session/session.js";
import type { CommitBuilder } from "../turn/commit.js";

/** Takes note of what came while no process drove the run; signals are logged. */
export function announceArrived({ arrivedIntents }: RunSession, commit: CommitBuilder): void {
  for (const intent of arrivedIntents) {
    commit.seenIntents.push(intent.id);
    if (intent.kind === "signal") commit.event(signalReceived(intent));
  }
}

/** Whether the scheduler does not know of it yet. It is given to the scheduler in this commit. */
export function isNews({ seenIntents }: RunSession, commit: CommitBuilder, id: number): boolean {
  if (seenIntents.has(id)) return false;
  seenIntents.add(id);
  commit.seenIntents.push(id);
  return true;
}
