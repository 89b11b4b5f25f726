import type { Clock } from "../util/clock.js";
import { ownImmediate } from "../util/own-timers.js";
import type { Store } from "./contract.js";
import { fileIdentity } from "./real-path.js";

export interface ChangeRequest {
  clock: Clock;
  /** Changes are found at the latest after this time, milliseconds. */
  everyMs: number;
  /** As `everyMs`, once nothing has changed for a minute, so that a process at rest seldom wakes. @default everyMs */
  restingMs?: number;
  /** Calls back after this time, milliseconds, also when nothing has changed: for what no process writes. @default never */
  quietMs?: number;
  /** The reasons for its callback: a change, a database that cannot be read, or both. @default both */
  only?: "change" | "loss";
  /** Calls back for what this handle has written as well. @default false */
  own?: boolean;
}

interface Found {
  what: "nothing" | "change" | "loss";
  /** This handle has written. */
  isOwn: boolean;
}

interface Subscriber {
  readonly store: Store;
  readonly everyMs: number;
  readonly restingMs: number;
  readonly quietMs: number;
  readonly only: ChangeRequest["only"];
  readonly own: boolean;
  /** Since it was last called back, milliseconds. */
  sinceMs: number;
  readonly listener: () => void;
}

/** Milliseconds without a change after which a feed rests. */
const RESTS_AFTER_MS = 60_000;

const feeds = new WeakMap<Clock, Map<string | Store, ChangeFeed>>();

/**
 * Calls back after something was written to the database by other means than this handle, or, with `own`, by any: at once
 * where the database tells, else at the next look. One timer serves all
 * subscribers of a database in this process, at the pace of the most impatient of them, and none is left without them.
 *
 * Invariant: a reader that subscribes before it reads misses no change. It may be called back for none.
 *
 * @returns how to unsubscribe
 */
export function onOutsideChange(store: Store, request: ChangeRequest, listener: () => void): () => void {
  const {
    clock,
    everyMs,
    restingMs = everyMs,
    quietMs = Number.POSITIVE_INFINITY,
    only,
    own = false,
  } = request;
  const ofClock = feeds.get(clock) ?? new Map<string | Store, ChangeFeed>();
  feeds.set(clock, ofClock);
  const database = fileIdentity(store);
  const feed = ofClock.get(database) ?? new ChangeFeed(clock, () => ofClock.delete(database));
  ofClock.set(database, feed);
  return feed.join({ store, everyMs, restingMs, quietMs, only, own, sinceMs: 0, listener });
}

/** Looks at one database as long as it has subscribers. */
class ChangeFeed {
  readonly #clock: Clock;
  readonly #onEmpty: () => void;
  readonly #subscribers = new Set<Subscriber>();
  /** By handle: a handle does not see its own writes. Without an entry the next look finds a change. */
  readonly #tokens = new WeakMap<Store, number>();
  readonly #ownWrites = new WeakMap<Store, number>();
  #armed: { everyMs: number; disarm(): void } | undefined;
  #isLooking = false;
  /** Of handles whose database tells what is new: how to hear no more of it. */
  readonly #heard = new Map<Store, () => void>();
  #isNewsDue = false;
  /** How long nothing has changed, milliseconds. */
  #unchangedMs = 0;

  constructor(clock: Clock, onEmpty: () => void) {
    this.#clock = clock;
    this.#onEmpty = onEmpty;
  }

  join(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    this.#hear(subscriber.store);
    const everyMs = this.#paceOf(subscriber);
    if (!this.#isLooking && everyMs < (this.#armed?.everyMs ?? Number.POSITIVE_INFINITY)) this.#arm();
    return () => {
      if (!this.#subscribers.delete(subscriber)) return;
      this.#unhear(subscriber.store);
      if (this.#subscribers.size > 0) return;
      this.#armed?.disarm();
      this.#armed = undefined;
      this.#onEmpty();
    };
  }

  #arm(): void {
    this.#armed?.disarm();
    const everyMs = Math.min(...[...this.#subscribers].map((each) => this.#paceOf(each)));
    this.#armed = { everyMs, disarm: this.#clock.setDelay(everyMs, () => void this.#look(everyMs)) };
  }

  #paceOf({ everyMs, restingMs }: Subscriber): number {
    return this.#unchangedMs < RESTS_AFTER_MS ? everyMs : restingMs;
  }

  #hear(store: Store): void {
    if (store.onNews === undefined || this.#heard.has(store)) return;
    this.#heard.set(
      store,
      store.onNews(() => this.#lookSoon()),
    );
  }

  #unhear(store: Store): void {
    if ([...this.#subscribers].some((each) => each.store === store)) return;
    this.#heard.get(store)?.();
    this.#heard.delete(store);
  }

  /** Changes within one turn of the event loop are one look; the timer continues as it is. */
  #lookSoon(): void {
    if (this.#isNewsDue) return;
    this.#isNewsDue = true;
    ownImmediate(() => {
      this.#isNewsDue = false;
      void this.#ask(0);
    });
  }

  async #look(passedMs: number): Promise<void> {
    this.#armed = undefined;
    this.#isLooking = true;
    await this.#ask(passedMs);
    this.#isLooking = false;
    if (this.#subscribers.size > 0 && this.#armed === undefined) this.#arm();
  }

  async #ask(passedMs: number): Promise<void> {
    const asked = [...this.#subscribers];
    const found = new Map<Store, Found>();
    for (const store of new Set(asked.map((each) => each.store))) {
      const isOwnAsked = asked.some((each) => each.own && each.store === store);
      found.set(store, await this.#find(store, isOwnAsked));
    }
    const isUnchanged = [...found.values()].every(({ what }) => what === "nothing");
    this.#unchangedMs = isUnchanged ? this.#unchangedMs + passedMs : 0;
    for (const each of asked) {
      each.sinceMs += passedMs;
      if (!this.#subscribers.has(each)) continue;
      const { what, isOwn } = found.get(each.store) as Found;
      const isNews = (isOwn && each.own) || (what !== "nothing" && (each.only ?? what) === what);
      if (!isNews && each.sinceMs < each.quietMs) continue;
      each.sinceMs = 0;
      each.listener();
    }
  }

  async #find(store: Store, isOwnAsked: boolean): Promise<Found> {
    try {
      const token = await store.changeToken();
      const isSame = token !== undefined && token === this.#tokens.get(store);
      if (token !== undefined) this.#tokens.set(store, token);
      return { what: isSame ? "nothing" : "change", isOwn: isOwnAsked && (await this.#hasWritten(store)) };
    } catch {
      // Who reads finds out what is wrong with the database.
      this.#tokens.delete(store);
      return { what: "loss", isOwn: false };
    }
  }

  async #hasWritten(store: Store): Promise<boolean> {
    const writes = await store.ownWrites();
    const isSame = writes === this.#ownWrites.get(store);
    this.#ownWrites.set(store, writes);
    return !isSame;
  }
}
