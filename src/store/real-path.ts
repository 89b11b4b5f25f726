import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Store } from "./contract.js";
import { MEMORY_PATH } from "./sqlite/options.js";

/** The path of a file without symbolic links, also of one that is yet to be made in a folder that is there. */
export function realPathOf(path: string): string {
  for (const [folder, name] of [
    [path, ""],
    [dirname(path), basename(path)],
  ] as const) {
    try {
      return join(realpathSync(folder), name);
    } catch {
      // Not there: its folder may be.
    }
  }
  return resolve(path);
}

/** Of stores whose file is there: a look at each folder of its path is worth saving, a host asks with every request. */
const known = new WeakMap<Store, string>();

/** The same for all stores of one file, by any path; a store without a file is its own. */
export function fileIdentity(store: Store): string | Store {
  const { dialect, path } = store;
  if (path === undefined || path === MEMORY_PATH) return store;
  if (dialect !== "sqlite") return path;
  const real = known.get(store) ?? realPathOf(path);
  if (!known.has(store) && existsSync(path)) known.set(store, real);
  return real;
}

/** A value per run of any database; files identify databases: a process may have several handles of one. */
export class ByRun<T> {
  readonly #databases = new Map<string | Store, Map<string, T>>();

  get(store: Store, runId: string): T | undefined {
    // Called for every word of an agent, mostly without a listener.
    if (this.#databases.size === 0) return undefined;
    return this.#databases.get(fileIdentity(store))?.get(runId);
  }

  set(store: Store, runId: string, value: T): void {
    const database = fileIdentity(store);
    const runs = this.#databases.get(database) ?? new Map<string, T>();
    runs.set(runId, value);
    this.#databases.set(database, runs);
  }

  /** Forgets it, unless another value has taken its place. */
  delete(store: Store, runId: string, value: T): void {
    const database = fileIdentity(store);
    const runs = this.#databases.get(database);
    if (runs?.get(runId) !== value) return;
    runs.delete(runId);
    if (runs.size === 0) this.#databases.delete(database);
  }
}
