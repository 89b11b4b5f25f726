import type { Store } from "../../store/index.js";
import type { Clock } from "../../util/clock.js";

export interface NewsRequest {
  runId: string;
  /** How often commits of other processes are looked for, milliseconds; 0: only those of this one are told. */
  pollMs: number;
  clock: Clock;
}

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
  if (pollMs === 0) return forget;
  const leave = watchOf(store, { pollMs, clock }).join(listener);
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
  readonly #listeners = new Set<() => void>();
  #disarm: (() => void) | undefined;
  /** Undefined: the first look finds a change, which is one look too many and never one too few. */
  #token: number | undefined;

  constructor(store: Store, { pollMs, clock }: { pollMs: number; clock: Clock }) {
    this.#store = store;
    this.#pollMs = pollMs;
    this.clock = clock;
  }

  join(listener: () => void): () => void {
    this.#listeners.add(listener);
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
    const isNews = await this.#hasChanged();
    if (isNews) for (const listener of this.#listeners) listener();
    // Unless all have left meanwhile, and others have come.
    if (armed === this.#disarm) this.#arm();
  }

  async #hasChanged(): Promise<boolean> {
    try {
      const token = await this.#store.changeToken();
      const isSame = token !== undefined && token === this.#token;
      this.#token = token;
      return !isSame;
    } catch {
      // Whoever reads finds out what is wrong with the database.
      return true;
    }
  }
}
