import type { GatewayClient } from "../client/index.js";
import { EventLog, type EventLogOptions } from "./event-log.js";
import { PolledRead, type QueryOptions } from "./polled-read.js";

/** Reads that nobody looks at are forgotten when there are more than this. */
const MOST_IDLE = 50;
const REFRESH_AFTER_MS = 150;

/** What the components below one provider read: the same read once for all of them. */
export class SharedReads {
  readonly #client: GatewayClient;
  readonly #queries = new Map<string, PolledRead<unknown>>();
  readonly #watched = new Set<PolledRead<unknown>>();
  readonly #logs = new Map<string, EventLog>();
  #refreshing: ReturnType<typeof setTimeout> | undefined;

  constructor(client: GatewayClient) {
    this.#client = client;
  }

  query<T>(key: readonly unknown[], options: QueryOptions<T>): PolledRead<T> {
    const text = JSON.stringify(key);
    const known = this.#queries.get(text);
    if (known !== undefined) return known as PolledRead<T>;
    forgetIdle(this.#queries);
    const query: PolledRead<unknown> = new PolledRead(options as QueryOptions<unknown>, (isWatched) => {
      if (!isWatched) return void this.#watched.delete(query);
      this.#watched.add(query);
      // It may have been forgotten between the render that made it and the commit that looks at it.
      this.#queries.set(text, query);
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

  /** Something has changed: what somebody looks at is read anew, once for many changes. */
  refresh(): void {
    this.#refreshing ??= setTimeout(() => {
      this.#refreshing = undefined;
      for (const query of this.#watched) query.nudge();
    }, REFRESH_AFTER_MS);
  }
}

function forgetIdle(reads: Map<string, { isWatched: boolean }>): void {
  if (reads.size < MOST_IDLE) return;
  for (const [key, read] of reads) if (!read.isWatched) reads.delete(key);
}
