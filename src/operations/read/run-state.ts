import { isSignOfLife, STALE_HEARTBEATS } from "../../engine/index.js";
import { ownerLiveness } from "../../process/owner.js";
import type { RunRow, RunState } from "../../model/run.js";

export interface RunLiveness {
  runState: RunState;
  /** Epoch ms; null when the run never had an owner. */
  lastHeartbeatAtMs: number | null;
}

/**
 * The state of a run on every surface: the stored status, except that a
 * run is `running` only while its owner proves it. `stale`: three heartbeats are
 * missing, or the last one lies far in the future. `stopped`: its owner released it on purpose. `orphaned`: its
 * owner is dead. `queued`: its host has stored it and has not begun it.
 */
export function runStateOf(run: RunRow, nowMs: number, heartbeatMs: number): RunLiveness {
  return { runState: stateOf(run, nowMs, heartbeatMs), lastHeartbeatAtMs: run.heartbeatAtMs };
}

function stateOf(run: RunRow, nowMs: number, heartbeatMs: number): RunState {
  switch (run.status) {
    case "finished":
    case "continued":
      return "succeeded";
    case "running": {
      if (isQueued(run)) return "queued";
      if (run.ownerId === null) return "stopped";
      const owner = ownerLiveness(run.ownerId);
      if (owner === "dead") return "orphaned";
      const age = nowMs - (run.heartbeatAtMs ?? run.createdAtMs);
      return age <= STALE_HEARTBEATS * heartbeatMs && isSignOfLife(age, owner) ? "running" : "stale";
    }
    default:
      return run.status;
  }
}

/** A host has made the run and has not begun it. One that is held begins with a resume alone. */
export function isQueued({ status, ownerId, startedAtMs, paused }: RunRow): boolean {
  return status === "running" && ownerId === null && startedAtMs === null && paused === null;
}
