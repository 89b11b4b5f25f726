import { ensureError } from "../../errors/ensure-error.js";
import { type ChangedKind, onOutsideChange, type Store } from "../../store/index.js";
import { type Clock, systemClock } from "../../util/clock.js";
import { Nudge } from "../../util/nudge.js";
import { ListedRows } from "./listed-rows.js";

/** The lists of a workspace; that of its workflows is in no database. */
export type ListedKind = ChangedKind | "workflows";

/** Rows of a workspace that lists show, and that have changed. */
export interface WorkspaceChange {
  /** `all`: whatever was read before may have changed. */
  kind: ListedKind | "all";
  /** Ids of the runs, of the runs that ask for the approvals, or of the schedules, or keys of the workflows; null: any of them. */
  ids: readonly string[] | null;
}

export interface WorkspaceFeedOptions {
  /** How often writes of other processes are looked for, milliseconds; 0: they are not. */
  pollMs: number;
  /** @default the machine's clock */
  clock?: Clock;
}

export interface WorkspaceRequest {
  kinds: readonly ListedKind[];
  /** Changes of the workflows' list: calls `hear` with keys. @returns ends that */
  onWorkflows?(hear: (keys: readonly string[]) => void): () => void;
  /** Ends the reading, without an error. */
  signal: AbortSignal;
}

/** Writes of this process within that time are looked at together, milliseconds. */
const TOGETHER_MS = 100;
/** A look that takes long is followed by a pause of so many times as long: it reads all runs that have not ended. */
const PAUSE_PER_LOOK = 10;
/** How often it is looked, at the latest, whether this process has written what no listener is notified of. */
const OWN_LOOK_MS = 1_000;
/** Ids that are named; of more, any may have changed. */
const MOST_IDS = 100;

/**
 * Changes in the lists of some databases, for any number of readers: each database is looked at once for all of them.
 *
 * Invariant: a reader that reads a list anew after each item shows in the end what the databases hold. Changes that come while
 * a reader is busy are added up, so that a slow one costs a set of ids and no more.
 */
export class WorkspaceFeed {
  readonly #options: Required<WorkspaceFeedOptions>;
  readonly #watches = new Map<Store, ListWatch>();

  constructor({ pollMs, clock = systemClock }: WorkspaceFeedOptions) {
    this.#options = { pollMs, clock };
  }

  /** First `all`, since there is no telling what a reader has missed. @throws what keeps a database from being read */
  async *read(
    stores: readonly Store[],
    { kinds, onWorkflows, signal }: WorkspaceRequest,
  ): AsyncGenerator<WorkspaceChange, void> {
    const reader = new Reader(kinds);
    const leaves = stores.map((store) => this.#watchOf(store).join(reader));
    if (onWorkflows !== undefined) leaves.push(onWorkflows((keys) => reader.hear("workflows", keys)));
    try {
      await Promise.all(stores.map((store) => this.#watchOf(store).look()));
      yield { kind: "all", ids: null };
      while (!signal.aborted) {
        const next = reader.next();
        if (next !== undefined) yield next;
        else await reader.nudge.next(signal);
      }
    } finally {
      for (const leave of leaves) leave();
    }
  }

  #watchOf(store: Store): ListWatch {
    const known = this.#watches.get(store);
    if (known !== undefined) return known;
    const watch = new ListWatch(store, this.#options, () => this.#watches.delete(store));
    this.#watches.set(store, watch);
    return watch;
  }
}

class Reader {
  readonly nudge = new Nudge();
  readonly #kinds: readonly ListedKind[];
  readonly #changed = new Map<ListedKind, Set<string> | null>();
  #failure: Error | undefined;

  constructor(kinds: readonly ListedKind[]) {
    this.#kinds = kinds;
  }

  /** @param ids null: any */
  hear(kind: ListedKind, ids: readonly string[] | null): void {
    if (!this.#kinds.includes(kind)) return;
    const before = this.#changed.get(kind);
    const all = ids === null || before === null ? null : new Set([...(before ?? []), ...ids]);
    this.#changed.set(kind, all === null || all.size > MOST_IDS ? null : all);
    this.nudge.nudge();
  }

  fail(error: Error): void {
    this.#failure = error;
    this.nudge.nudge();
  }

  next(): WorkspaceChange | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    for (const [kind, ids] of this.#changed) {
      this.#changed.delete(kind);
      return { kind, ids: ids === null ? null : [...ids] };
    }
    return undefined;
  }
}

/** One database, looked at as long as it has readers. */
class ListWatch {
  readonly #store: Store;
  readonly #options: Required<WorkspaceFeedOptions>;
  readonly #onEmpty: () => void;
  readonly #readers = new Set<Reader>();
  readonly #rows = new ListedRows();
  /** Runs that this process has changed since the newest look. */
  #written = new Set<string>();
  #forgets: (() => void)[] = [];
  #looking: Promise<void> | undefined;
  #isOutdated = false;
  /** The newest look, milliseconds. */
  #tookMs = 0;

  constructor(store: Store, options: Required<WorkspaceFeedOptions>, onEmpty: () => void) {
    this.#store = store;
    this.#options = options;
    this.#onEmpty = onEmpty;
  }

  join(reader: Reader): () => void {
    if (this.#readers.size === 0) this.#listen();
    this.#readers.add(reader);
    return () => {
      if (!this.#readers.delete(reader) || this.#readers.size > 0) return;
      for (const forget of this.#forgets) forget();
      this.#onEmpty();
    };
  }

  /** Never rejects. One that is asked for while another is under way comes after it. */
  look(): Promise<void> {
    if (this.#looking !== undefined) this.#isOutdated = true;
    this.#looking ??= this.#lookOn().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  #listen(): void {
    const { clock, pollMs } = this.#options;
    let disarm: (() => void) | undefined;
    const soon = () => {
      disarm ??= clock.setDelay(Math.max(TOGETHER_MS, PAUSE_PER_LOOK * this.#tookMs), () => {
        disarm = undefined;
        void this.look();
      });
    };
    const everyMs = pollMs === 0 ? OWN_LOOK_MS : Math.min(pollMs, OWN_LOOK_MS);
    const only = pollMs === 0 ? { only: "loss" as const } : {};
    this.#forgets = [
      onOutsideChange(this.#store, { clock, everyMs, own: true, ...only }, soon),
      this.#store.onChange((runId) => {
        this.#written.add(runId);
        soon();
      }),
      this.#store.onIntent(soon),
      () => disarm?.(),
    ];
  }

  async #lookOn(): Promise<void> {
    do {
      this.#isOutdated = false;
      const beganAtMs = this.#options.clock.now();
      const written = this.#written;
      this.#written = new Set();
      try {
        const changes = await this.#rows.changes(this.#store, written);
        for (const [kind, ids] of changes) for (const reader of this.#readers) reader.hear(kind, ids);
      } catch (error) {
        for (const reader of this.#readers) reader.fail(ensureError(error));
      }
      this.#tookMs = Math.max(0, this.#options.clock.now() - beganAtMs);
    } while (this.#isOutdated && this.#readers.size > 0);
  }
}
