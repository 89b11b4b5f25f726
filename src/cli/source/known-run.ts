import { HEARTBEAT_MS } from "../../engine/index.js";
import type { RunRow } from "../../model/run.js";
import { runStateOf } from "../../operations/index.js";
import type { KnownRun } from "./place.js";

/** A stored run, with the state that lists show. */
export function knownRun(run: RunRow, nowMs: number): KnownRun {
  return { ...run, runState: runStateOf(run, nowMs, HEARTBEAT_MS).runState };
}
