import type { Beat, Lease, RunWrite, Store, WriteOutcome } from "../../store/index.js";
import type { Awaitable } from "../../util/awaitable.js";
import { type Deferred, deferred } from "../../util/deferred.js";
import { ownImmediate } from "../../util/own-timers.js";

/** Something that waits for the next turn of the event loop, and who waits for it. */
interface Waiting<T, R> {
  readonly asked: T;
  readonly done: Deferred<R>;
}

/**
 * Group commit across the runs that this process drives in one database: what
 * they have to write within one turn of the event loop becomes one transaction.
 * A run on its own does not wait and writes at once.
 *
 * Invariant: a write is acknowledged only once it is durable, and a run waits
 * for each of its writes, so a group holds at most one of every run.
 */
class WriteGroup {
  readonly #store: Store;
  #runs = 0;
  #writes: Waiting<RunWrite, void>[] = [];
  #beats: Waiting<Beat, boolean>[] = [];

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
    if (this.#writes.length === 0) ownImmediate(() => void this.#flushWrites());
    return join(this.#writes, write);
  }

  /** A heartbeat, together with those that other runs give in this turn of the event loop. False when the lease is lost. */
  heartbeat(lease: Lease, nowMs: number): Awaitable<boolean> {
    if (this.#runs <= 1) return this.#store.heartbeat(lease, nowMs);
    if (this.#beats.length === 0) ownImmediate(() => void this.#flushBeats());
    return join(this.#beats, { lease, nowMs });
  }

  async #flushWrites(): Promise<void> {
    const members = this.#writes;
    this.#writes = [];
    await answer(
      members,
      (writes) => this.#store.writeTogether(writes),
      ({ done }, outcome: WriteOutcome) => {
        if (outcome.ok) done.resolve();
        else done.reject(outcome.error);
      },
    );
  }

  async #flushBeats(): Promise<void> {
    const members = this.#beats;
    this.#beats = [];
    await answer(
      members,
      (beats) => this.#store.heartbeatTogether(beats),
      ({ done }, isHeld: boolean) => done.resolve(isHeld),
    );
  }
}

function join<T, R>(waiting: Waiting<T, R>[], asked: T): Promise<R> {
  const done = deferred<R>();
  waiting.push({ asked, done });
  return done.promise;
}

/** Asks for all of them at once. An error of the store is the answer to each. */
async function answer<T, R, A>(
  members: readonly Waiting<T, R>[],
  ask: (asked: readonly T[]) => Awaitable<A[]>,
  complete: (member: Waiting<T, R>, answer: A) => void,
): Promise<void> {
  let answers: A[];
  try {
    answers = await ask(members.map(({ asked }) => asked));
  } catch (error) {
    for (const { done } of members) done.reject(error);
    return;
  }
  for (const [index, member] of members.entries()) complete(member, answers[index] as A);
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
