import type { RunWrite, Store, WriteOutcome } from "../../store/contract.js";
import type { Awaitable } from "../../util/awaitable.js";
import { type Deferred, deferred } from "../../util/deferred.js";

/**
 * Group commit across the runs that this process drives in one database: what
 * they have to write within one turn of the event loop becomes one transaction.
 * A run on its own waits for nobody and writes at once.
 *
 * Invariant: a write is acknowledged only once it is durable, and a run waits
 * for each of its writes, so a group holds at most one of every run.
 */
export class WriteGroup {
  readonly #store: Store;
  #runs = 0;
  #waiting: { write: RunWrite; done: Deferred<void> }[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  /** A run is driven by `body` and may write here until it is over. */
  async during<T>(body: () => Promise<T>): Promise<T> {
    this.#runs += 1;
    try {
      return await body();
    } finally {
      this.#runs -= 1;
    }
  }

  /** @throws what `createRun` and `commit` of the store throw */
  write(write: RunWrite): Awaitable<void> {
    if (this.#runs <= 1) {
      return write.type === "create" ? this.#store.createRun(write.run) : this.#store.commit(write.commit);
    }
    // After the turns that other runs take in this turn of the event loop.
    if (this.#waiting.length === 0) setImmediate(() => void this.#flush());
    const done = deferred<void>();
    this.#waiting.push({ write, done });
    return done.promise;
  }

  async #flush(): Promise<void> {
    const members = this.#waiting;
    this.#waiting = [];
    let outcomes: WriteOutcome[];
    try {
      outcomes = await this.#store.writeTogether(members.map(({ write }) => write));
    } catch (error) {
      for (const { done } of members) done.reject(error);
      return;
    }
    members.forEach(({ done }, index) => {
      const outcome = outcomes[index] as WriteOutcome;
      if (outcome.ok) done.resolve();
      else done.reject(outcome.error);
    });
  }
}

/** One group per database handle, so that the runs of every workflow on it share it. */
const groups = new WeakMap<Store, WriteGroup>();

export function writeGroupOf(store: Store): WriteGroup {
  let group = groups.get(store);
  if (group === undefined) {
    group = new WriteGroup(store);
    groups.set(store, group);
  }
  return group;
}
