import { type TaskKey, taskKey } from "../../model/address.js";
import { triesAgain } from "../../model/run.js";
import type { StoredFacts } from "../../store/index.js";
import type { RunSession } from "../session/session.js";
import { advance } from "../turn/advance.js";
import type { CommitBuilder } from "../turn/commit.js";
import { type FoundAttempt, keepSaid, takeUp } from "./adopt-attempts.js";

/** Closes what the last owner, which was last seen then, left open, lifts pauses, and lets an ended run run again. */
export function recordRestart(
  session: RunSession,
  commit: CommitBuilder,
  restart: {
    runSnapshot: StoredFacts;
    suspects: ReadonlySet<TaskKey>;
    found: ReadonlyMap<TaskKey, FoundAttempt>;
    lastSeenMs: number | null;
  },
): void {
  const { runSnapshot, suspects, found, lastSeenMs } = restart;
  for (const { nodeId, iteration, attempt, startedAtMs } of runSnapshot.openAttempts) {
    const key = taskKey({ nodeId, iteration });
    const { left, isAdoptable = false } = found.get(key) ?? {};
    if (left?.attempt === attempt) {
      if (!isAdoptable) keepSaid(session, commit, left);
      else {
        advance(session, commit, { type: "attempt-adopted", key, attempt, startedAtMs });
        takeUp(session, left);
        continue;
      }
    }
    advance(session, commit, {
      type: "attempt-interrupted",
      key,
      attempt,
      reason: "the process that ran it is gone",
      isSuspect: suspects.has(key),
      ...(lastSeenMs !== null && { endedAtMs: lastSeenMs }),
    });
  }
  advance(session, commit, { type: "resume" });
  for (const control of runSnapshot.controls) {
    if (control.kind !== "alert" || control.destination === null) continue;
    session.deliveries.add(control.id);
    commit.deliveries.push(control);
  }
  if (!triesAgain(runSnapshot.run)) return;
  commit.run.status = "running";
  commit.run.error = null;
  commit.run.summary = null;
  commit.run.finishedAtMs = null;
  commit.event({ type: "RunStatusChanged", status: "running" });
  for (const row of runSnapshot.nodes) {
    if (row.state === "pending") commit.add([{ type: "node", key: taskKey(row) }]);
  }
}
