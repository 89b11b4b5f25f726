import { ensureError } from "../../errors/ensure-error.js";
import type { RunEventType, StoredEvent } from "../../model/events.js";
import { isTerminal, type RunRow } from "../../model/run.js";
import { ByRun, type ServiceDb, type Store } from "../../store/index.js";
import { type Clock, systemClock } from "../../util/clock.js";
import { Nudge } from "../../util/nudge.js";
import { requireRun } from "../request/require-run.js";
import { boundedRows } from "./bounded-rows.js";
import { followEvents } from "./follow-events.js";
import { shownEvent } from "./shown-event.js";

/** An event on its way to clients. */
export interface FeedItem {
  seq: number;
  type: RunEventType;
  nodeId: string | undefined;
  /** The event as JSON, made once for all who follow. */
  json: string;
}

export interface RunFeedsOptions {
  /** How often commits of other processes are looked for, milliseconds; 0: they are not. @default 200 */
  pollMs?: number;
  /** @default the machine's clock */
  clock?: Clock;
}

export interface FeedRequest {
  runId: string;
  /** Events with a greater number. -1: from the start. */
  afterSeq: number;
  /** Ends the reading, without an error. */
  signal: AbortSignal;
}

/** Newest events of a run that are kept at hand, and their size in characters of JSON. */
const MOST_RECENT = 512;
const LARGEST_RECENT = 1_048_576;

/** Read at once for a reader that is further behind: events, and about as many characters of JSON. A slow reader holds that much. */
const PAGE = 200;
const LARGEST_PAGE = 1_048_576;

/**
 * The event logs of runs for any number of readers: each run with a reader is followed
 * once in this process.
 *
 * Invariant: a reader gets the events after the number that it has reached, from
 * memory or from the database. So nothing is missing or doubled, and a slow reader costs no memory.
 */
export class RunFeeds {
  readonly #options: Required<RunFeedsOptions>;
  readonly #feeds = new ByRun<RunFeed>();

  constructor({ pollMs = 200, clock = systemClock }: RunFeedsOptions = {}) {
    this.#options = { pollMs, clock };
  }

  /**
   * The events of a run in order, as many at a time as there are, until the run has ended.
   * @throws RUN_NOT_FOUND, and what keeps the events from being read
   */
  async *read(
    db: ServiceDb,
    { runId, afterSeq, signal }: FeedRequest,
  ): AsyncGenerator<readonly FeedItem[], void> {
    const nudge = new Nudge();
    const feed = this.#feedOf(db, await requireRun(db.store, runId));
    const wake = () => nudge.nudge();
    const leave = feed.join(wake);
    // Once, not for each wait: all readers wait anew with each event.
    signal.addEventListener("abort", wake, { once: true });
    try {
      for (let seq = afterSeq; !signal.aborted; ) {
        const items = await feed.after(seq);
        if (items.length > 0) {
          yield items;
          seq = (items.at(-1) as FeedItem).seq;
        } else if (feed.isOver) return;
        else await nudge.next();
      }
    } finally {
      signal.removeEventListener("abort", wake);
      leave();
    }
  }

  /** To be joined at once: one without readers ends. */
  #feedOf(db: ServiceDb, { runId, nextSeq, status }: RunRow): RunFeed {
    const newest = nextSeq - 1;
    const known = this.#feeds.get(db.store, runId);
    // One that has ended may have a reader that has not got its last events yet.
    if (known !== undefined && !known.isOver && !isTerminal(status)) {
      known.reach(newest);
      return known;
    }
    const feed = new RunFeed(db, { ...this.#options, runId, newest });
    this.#feeds.set(db.store, runId, feed);
    void feed.follow().finally(() => this.#feeds.delete(db.store, runId, feed));
    return feed;
  }
}

interface RunFeedOptions extends Required<RunFeedsOptions> {
  runId: string;
  newest: number;
}

/** One run, followed as long as it has readers. */
class RunFeed {
  readonly #db: ServiceDb;
  readonly #store: Store;
  readonly #options: RunFeedOptions;
  readonly #stop = new AbortController();
  readonly #readers = new Set<() => void>();
  #recent: FeedItem[] = [];
  #recentSize = 0;
  #newest: number;
  #failure: Error | undefined;
  isOver = false;

  constructor(db: ServiceDb, options: RunFeedOptions) {
    this.#db = db;
    this.#store = db.store;
    this.#options = options;
    this.#newest = options.newest;
  }

  join(wake: () => void): () => void {
    this.#readers.add(wake);
    return () => {
      this.#readers.delete(wake);
      if (this.#readers.size > 0) return;
      this.isOver = true;
      this.#stop.abort();
    };
  }

  /** Events up to this one are there, whether or not this process was notified of them. */
  reach(seq: number): void {
    if (seq <= this.#newest) return;
    this.#newest = seq;
    this.#wakeAll();
  }

  /** Those at hand, or a page of the database. */
  async after(seq: number): Promise<readonly FeedItem[]> {
    if (this.#failure !== undefined) throw this.#failure;
    if (seq >= this.#newest) return [];
    const oldest = this.#recent.at(0)?.seq ?? Number.POSITIVE_INFINITY;
    const newest = this.#recent.at(-1)?.seq ?? -1;
    if (oldest <= seq + 1 && seq < newest) {
      return this.#recent.slice(this.#recent.findLastIndex((item) => item.seq <= seq) + 1);
    }
    const { runId } = this.#options;
    const read = (last: StoredEvent | undefined, limit: number) =>
      this.#store.listEvents(runId, { afterSeq: last?.seq ?? seq, limit });
    const { rows } = await boundedRows(read, { limit: PAGE, largest: LARGEST_PAGE });
    return rows.map(toItem);
  }

  async follow(): Promise<void> {
    const { runId, pollMs, clock } = this.#options;
    const request = { runId, afterSeq: this.#newest, pollMs, clock, signal: this.#stop.signal };
    try {
      for await (const stored of followEvents(this.#db, request)) this.#add(toItem(stored));
    } catch (error) {
      this.#failure = ensureError(error);
    }
    this.isOver = true;
    this.#wakeAll();
  }

  #add(item: FeedItem): void {
    this.#recent.push(item);
    this.#recentSize += item.json.length;
    while (
      this.#recent.length > MOST_RECENT ||
      (this.#recentSize > LARGEST_RECENT && this.#recent.length > 1)
    ) {
      this.#recentSize -= (this.#recent.shift() as FeedItem).json.length;
    }
    this.#newest = Math.max(this.#newest, item.seq);
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of this.#readers) wake();
  }
}

function toItem({ seq, event }: StoredEvent): FeedItem {
  const nodeId = "nodeId" in event ? event.nodeId : undefined;
  return { seq, type: event.type, nodeId, json: JSON.stringify(shownEvent(event)) };
}
