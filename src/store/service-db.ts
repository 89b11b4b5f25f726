import { ServiceError } from "../errors/service-error.js";
import type { Store } from "./contract.js";

/** The store behind each database handle that a factory of this folder has made. */
const stores = new WeakMap<object, Store>();

/** Makes `new ServiceDb(handle)` find the store. */
export function registerHandle(handle: object, store: Store): void {
  stores.set(handle, store);
}

/**
 * The adapter between a workflow's `db` and everything that reads or drives runs.
 * Making one opens nothing.
 *
 * @example
 * const db = new ServiceDb(workflow.db);
 * const run = await db.store.getRun(runId);
 */
export class ServiceDb {
  /** Reads and writes of the database. */
  readonly store: Store;

  /**
   * @param db the `db` of a workflow, another ServiceDb, or a store
   * @throws DB_REQUIRES_RUNTIME_SQLITE for anything else
   */
  constructor(db: unknown) {
    const store = storeOf(db);
    if (store === undefined) {
      throw new ServiceError(
        "DB_REQUIRES_RUNTIME_SQLITE",
        "A ServiceDb is made from the `db` of a workflow or of createService; something else was given.",
      );
    }
    this.store = store;
  }

  /** File of the database, or how its connection is named in messages. */
  get path(): string {
    return this.store.path ?? this.store.dialect;
  }
}

function storeOf(db: unknown): Store | undefined {
  if (typeof db !== "object" || db === null) return undefined;
  // The registry first: to look into a handle would open its database.
  const registered = stores.get(db);
  if (registered !== undefined) return registered;
  if (db instanceof ServiceDb) return db.store;
  return isStore(db) ? db : undefined;
}

function isStore(value: object): value is Store {
  return "dialect" in value && "commit" in value && "loadRun" in value;
}
