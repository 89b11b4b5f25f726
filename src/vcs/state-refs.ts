import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../util/hash.js";
import { newId } from "../util/ids.js";

/** Where states of all runs are kept. */
export const STATE_REFS = "refs/treadle";

/** Everything that keeps states of a run stands below it. An id may hold what refs or folders understand otherwise. */
export function stateRefs(runId: string): string {
  return `${STATE_REFS}/${sha256Hex(runId).slice(0, 32)}`;
}

/** A new ref: no other process writes to it, so none that was killed can leave a lock in the way. */
export function newStateRef(runId: string): string {
  return `${stateRefs(runId)}/${newId()}`;
}

/** Whether a git folder may have a ref of this name, or one below it: saves a process where none was ever made. */
export function mayHaveRef(common: string, name: string): boolean {
  const packed = join(common, "packed-refs");
  return (
    existsSync(join(common, name)) ||
    existsSync(join(common, "reftable")) ||
    (existsSync(packed) && readFileSync(packed, "latin1").includes(name))
  );
}
