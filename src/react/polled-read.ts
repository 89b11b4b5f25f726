import type { WorkspaceChange } from "../client/index.js";
import { sameData } from "../util/same-data.js";

/** The result of a read so far. */
export interface QueryState<T> {
  /** Undefined until the first answer; stays what it was while later ones fail. */
  data: T | undefined;
  /** Of the newest try; undefined once one succeeds. */
  error: Error | undefined;
  /** Nothing has been answered yet. */
  isLoading: boolean;
  /** The data are those of `updatedAtMs`: newer ones could not be had. */
  isStale: boolean;
  /** Epoch milliseconds of the newest answer; null before. */
  updatedAtMs: number | null;
}

export interface QueryOptions<T> {
  load(signal: AbortSignal): Promise<T>;
  /** Milliseconds until the next look. `isLive`: the gateway says when something has changed. */
  nextLookMs(data: T | undefined, isLive: boolean): number;
  /** Whether a change in the gateway's lists may be one of what was read. */
  isAbout(change: WorkspaceChange): boolean;
}

const NOTHING: QueryState<never> = {
  data: undefined,
  error: undefined,
  isLoading: true,
  isStale: false,
  updatedAtMs: null,
};

/**
 * One read that is repeated as long as components show it, whatever their number. Without any:
 * nothing under way, no timer.
 */
export class PolledRead<T> {
  readonly #options: QueryOptions<T>;
  readonly #isLive: () => boolean;
  readonly #onWatch: (isWatched: boolean) => void;
  readonly #listeners = new Set<() => void>();
  #state: QueryState<T> = NOTHING;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #underWay: AbortController | undefined;
  #isOutdated = false;

  /** @param on `watch`: with the first component that looks, and after the last */
  constructor(options: QueryOptions<T>, on: { isLive(): boolean; watch(isWatched: boolean): void }) {
    this.#options = options;
    this.#isLive = on.isLive;
    this.#onWatch = on.watch;
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  readonly state = (): QueryState<T> => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) {
      this.#onWatch(true);
      void this.refetch();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#onWatch(false);
      clearTimeout(this.#timer);
      this.#underWay?.abort();
      this.#underWay = undefined;
    };
  };

  /** Looks now. A read under way does not count any more: it may show an earlier time. */
  readonly refetch = async (): Promise<void> => {
    clearTimeout(this.#timer);
    this.#underWay?.abort();
    this.#isOutdated = false;
    const request = new AbortController();
    this.#underWay = request;
    try {
      const data = await this.#options.load(request.signal);
      if (this.#underWay === request) this.#answered(data);
    } catch (error) {
      if (this.#underWay === request) this.#failed(error as Error);
    }
    if (this.#underWay !== request) return;
    this.#underWay = undefined;
    if (!this.isWatched) return;
    if (this.#isOutdated) void this.refetch();
    else this.#arm();
  };

  isAbout(change: WorkspaceChange): boolean {
    return change.kind === "all" || this.#options.isAbout(change);
  }

  /** Something has changed: looks now, or once more after the look that is under way. */
  nudge(): void {
    if (this.#underWay === undefined) void this.refetch();
    else this.#isOutdated = true;
  }

  #answered(data: T): void {
    const before = this.#state.data;
    // The same data stay the same object: what shows them is not rendered again for nothing.
    const kept = before !== undefined && sameData(before, data) ? before : data;
    this.#set({ data: kept, error: undefined, isLoading: false, isStale: false, updatedAtMs: Date.now() });
  }

  #failed(error: Error): void {
    const { data, updatedAtMs } = this.#state;
    this.#set({ data, error, isLoading: false, isStale: data !== undefined, updatedAtMs });
  }

  #arm(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        // A page in the background is not seen.
        if ((globalThis as { document?: { hidden: boolean } }).document?.hidden === true) this.#arm();
        else void this.refetch();
      },
      this.#options.nextLookMs(this.#state.data, this.#isLive()),
    );
  }

  #set(state: QueryState<T>): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
