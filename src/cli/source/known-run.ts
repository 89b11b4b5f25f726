import { HEARTBEAT_MS } from "../../engine/session/lease.js";
import type { RunRow } from "../../model/run.js";
import { runStateOf } from "../../operations/read/run-state.js";
import type { KnownRun } from "./run-source.js";

/** A stored run, with the state that lists show. */
export function knownRun(run: RunRow): KnownRun {
  return { ...run, runState: runStateOf(run, Date.now(), HEARTBEAT_MS).runState };
}
