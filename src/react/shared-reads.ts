import type { GatewayClient, WorkspaceChange } from "../client/index.js";
import { EventLog, type EventLogOptions } from "./event-log.js";
import { PolledRead, type QueryOptions } from "./polled-read.js";
import { WorkspaceNews } from "./workspace-news.js";

/** Reads without a component are forgotten when there are more than this. */
const MOST_IDLE = 50;
const REFRESH_AFTER_MS = 150;
/** In a workspace that changes all the time, what is shown is read anew this often, milliseconds. */
const CHANGED_EVERY_MS = 1_000;

/** The reads of the components below one provider: the same read once for all of them. */
export class SharedReads {
  readonly #client: GatewayClient;
  readonly #queries = new Map<string, PolledRead<unknown>>();
  readonly #watched = new Set<PolledRead<unknown>>();
  readonly #logs = new Map<string, EventLog>();
  readonly #news: WorkspaceNews;
  readonly #changed = new Set<PolledRead<unknown>>();
  #refreshing: ReturnType<typeof setTimeout> | undefined;
  #changing: ReturnType<typeof setTimeout> | undefined;
  #changedAtMs = 0;

  constructor(client: GatewayClient) {
    this.#client = client;
    this.#news = new WorkspaceNews(client, (change) => this.#hear(change));
  }

  query<T>(key: readonly unknown[], options: QueryOptions<T>): PolledRead<T> {
    const text = JSON.stringify(key);
    const known = this.#queries.get(text);
    if (known !== undefined) return known as PolledRead<T>;
    forgetIdle(this.#queries);
    const query: PolledRead<unknown> = new PolledRead(options as QueryOptions<unknown>, {
      isLive: () => this.#news.isLive,
      watch: (isWatched) => {
        if (!isWatched) return this.#leave(query);
        this.#watched.add(query);
        this.#news.begin();
        // It may have been forgotten between the render that made it and the commit that looks at it.
        this.#queries.set(text, query);
      },
    });
    this.#queries.set(text, query);
    return query as PolledRead<T>;
  }

  log(options: EventLogOptions): EventLog {
    const text = JSON.stringify([options.runId, options.afterSeq, options.limit]);
    let log = this.#logs.get(text);
    if (log === undefined) {
      forgetIdle(this.#logs);
      log = new EventLog(this.#client, options, () => this.refresh());
      this.#logs.set(text, log);
    }
    return log;
  }

  /** Something has changed: shown reads are repeated, once for many changes. */
  refresh(): void {
    this.#refreshing ??= setTimeout(() => {
      this.#refreshing = undefined;
      for (const query of this.#watched) query.nudge();
    }, REFRESH_AFTER_MS);
  }

  #leave(query: PolledRead<unknown>): void {
    this.#watched.delete(query);
    this.#changed.delete(query);
    if (this.#watched.size > 0) return;
    this.#news.end();
    clearTimeout(this.#changing);
    this.#changing = undefined;
  }

  #hear(change: WorkspaceChange): void {
    for (const log of this.#logs.values()) if (log.isWatched && log.isAbout(change)) log.nudge();
    for (const query of this.#watched) if (query.isAbout(change)) this.#changed.add(query);
    if (this.#changed.size === 0) return;
    const afterMs = Math.max(REFRESH_AFTER_MS, this.#changedAtMs + CHANGED_EVERY_MS - Date.now());
    this.#changing ??= setTimeout(() => {
      this.#changing = undefined;
      this.#changedAtMs = Date.now();
      const changed = [...this.#changed];
      this.#changed.clear();
      for (const query of changed) query.nudge();
    }, afterMs);
  }
}

function forgetIdle(reads: Map<string, { isWatched: boolean }>): void {
  if (reads.size < MOST_IDLE) return;
  for (const [key, read] of reads) if (!read.isWatched) reads.delete(key);
}
