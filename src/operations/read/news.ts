import type { Store } from "../../store/index.js";
import type { Clock } from "../../util/clock.js";

export interface NewsRequest {
  runId: string;
  /** How often commits of other processes are looked for, milliseconds; 0: they are not, only whether the database is still there. */
  pollMs: number;
  clock: Clock;
}

/** How often a database is looked at that no other process writes to, milliseconds. */
const LOSS_LOOK_MS = 1_000;

/** By database and interval: one look serves everybody who wants to know. */
const watches = new WeakMap<Store, Map<string, OutsideWatch>>();

/**
 * Calls back whenever there may be something new about a run: at once for commits of this process;
 * for those of others once the database is found changed. Returns how to stop.
 */
export function hearNews(store: Store, request: NewsRequest, listener: () => void): () => void {
  const { runId, pollMs, clock } = request;
  const forget = store.onChange((changed) => {
    if (changed === runId) listener();
  });
  const isOnlyLoss = pollMs === 0;
  const interval = { pollMs: isOnlyLoss ? LOSS_LOOK_MS : pollMs, clock };
  const leave = watchOf(store, interval).join(listener, isOnlyLoss);
  return () => {
    forget();
    leave();
  };
}

function watchOf(store: Store, interval: { pollMs: number; clock: Clock }): OutsideWatch {
  const ofStore = watches.get(store) ?? new Map<string, OutsideWatch>();
  watches.set(store, ofStore);
  const key = String(interval.pollMs);
  let watch = ofStore.get(key);
  if (watch === undefined || watch.clock !== interval.clock) {
    watch = new OutsideWatch(store, interval);
    ofStore.set(key, watch);
  }
  return watch;
}

/** Looks whether other processes have written to a database, as long as somebody wants to know. */
class OutsideWatch {
  readonly clock: Clock;
  readonly #store: Store;
  readonly #pollMs: number;
  /** Each with whether it only wants to know of a database that cannot be read. */
  readonly #listeners = new Map<() => void, boolean>();
  #disarm: (() => void) | undefined;
  /** Undefined: the first look finds a change, which is one look too many and never one too few. */
  #token: number | undefined;

  constructor(store: Store, { pollMs, clock }: { pollMs: number; clock: Clock }) {
    this.#store = store;
    this.#pollMs = pollMs;
    this.clock = clock;
  }

  join(listener: () => void, isOnlyLoss: boolean): () => void {
    this.#listeners.set(listener, isOnlyLoss);
    if (this.#disarm === undefined) this.#arm();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#disarm?.();
      this.#disarm = undefined;
      this.#token = undefined;
    };
  }

  #arm(): void {
    this.#disarm = this.clock.setDelay(this.#pollMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    const armed = this.#disarm;
    const found = await this.#found();
    for (const [listener, isOnlyLoss] of this.#listeners) {
      if (found === "loss" || (found === "change" && !isOnlyLoss)) listener();
    }
    // Unless all have left meanwhile, and others have come.
    if (armed === this.#disarm) this.#arm();
  }

  async #found(): Promise<"loss" | "change" | undefined> {
    try {
      const token = await this.#store.changeToken();
      const isSame = token !== undefined && token === this.#token;
      this.#token = token;
      return isSame ? undefined : "change";
    } catch {
      // Whoever reads finds out what is wrong with the database.
      return "loss";
    }
  }
}
