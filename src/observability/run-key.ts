import { newId } from "../util/ids.js";

/** A holder of runs. Objects with the same path are the same database; one without, or `:memory:`, is its own. */
export interface RunHolder {
  readonly path?: string;
}

const inMemory = new WeakMap<RunHolder, string>();

/** Names a run among those of all databases that this process drives: run ids are unique in their database only. */
export function runKey(holder: RunHolder, runId: string): string {
  return `${databaseNameOf(holder)} ${runId}`;
}

/** The same for objects that are the same database. */
export function databaseNameOf(holder: RunHolder): string {
  const { path } = holder;
  if (path !== undefined && path !== ":memory:") return path;
  const known = inMemory.get(holder);
  if (known !== undefined) return known;
  const name = newId();
  inMemory.set(holder, name);
  return name;
}
