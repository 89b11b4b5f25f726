import type { RunEventType } from "../../model/events.js";
import type { GatewayClient, SequencedEvent } from "../../client/index.js";

/** What a log is of; the gateway chooses by task and type, an iteration is one of the task's rounds. */
export interface NodeLogQuery {
  runId: string;
  nodeId: string;
  iteration: number;
  types: RunEventType[];
}

export interface NodeLogState {
  /** In order. */
  events: readonly SequencedEvent[];
  /** There are events before the first one that is kept. */
  hasEarlier: boolean;
  /** Until the first answer is there. */
  isLoading: boolean;
  error: Error | undefined;
}

const PAGE = 500;
/** Newest events that are kept while more come; earlier ones can be read again. */
const MOST_KEPT = 20_000;

/** Events of one task in one round: the newest page first, then what comes, and earlier pages when they are asked for. */
export class NodeLog {
  readonly #client: GatewayClient;
  readonly #query: NodeLogQuery;
  readonly #listeners = new Set<() => void>();
  #state: NodeLogState = { events: [], hasEarlier: false, isLoading: true, error: undefined };
  /** The range of the run's log that has been looked at: between the two, exclusive. */
  #beforeSeq = 0;
  #afterSeq: number | undefined;
  #isReading = false;
  #isAsked = false;

  constructor(client: GatewayClient, query: NodeLogQuery) {
    this.#client = client;
    this.#query = query;
  }

  readonly state = (): NodeLogState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Reads what is new. Calls while it reads are one more reading: news that come fast never keep it from ending. */
  async readOn(): Promise<void> {
    this.#isAsked = true;
    if (this.#isReading) return;
    await this.#oneAtATime(async () => {
      while (this.#isAsked) {
        this.#isAsked = false;
        if (this.#afterSeq === undefined) await this.#readNewest();
        else await this.#readLater(this.#afterSeq);
      }
    });
  }

  /** Reads earlier pages until one has an event of this round. */
  async readEarlier(): Promise<void> {
    if (this.#isReading || !this.#state.hasEarlier) return;
    await this.#oneAtATime(() => this.#readBefore(this.#beforeSeq));
    if (this.#isAsked) await this.readOn();
  }

  async #readNewest(): Promise<void> {
    const { runId } = this.#query;
    const { events } = await this.#client.listEvents({ runId, descending: true, limit: 1 });
    const newest = events[0]?.seq ?? -1;
    await this.#readBefore(newest + 1);
    this.#afterSeq = newest;
  }

  async #readBefore(seq: number): Promise<void> {
    for (let beforeSeq = seq; ; ) {
      const page = await this.#page({ beforeSeq, descending: true });
      beforeSeq = page.events.at(-1)?.seq ?? 0;
      this.#beforeSeq = beforeSeq;
      const found = this.#ofRound(page.events).toReversed();
      const events = [...found, ...this.#state.events];
      this.#show({ events, hasEarlier: page.hasMore, isLoading: false });
      if (found.length > 0 || !page.hasMore) return;
    }
  }

  async #readLater(seq: number): Promise<void> {
    for (let afterSeq = seq; ; ) {
      const page = await this.#page({ afterSeq });
      const last = page.events.at(-1);
      if (last !== undefined) {
        afterSeq = last.seq;
        this.#afterSeq = afterSeq;
        this.#add(this.#ofRound(page.events));
      }
      if (!page.hasMore) return;
    }
  }

  #add(found: readonly SequencedEvent[]): void {
    const all = [...this.#state.events, ...found];
    const events = all.slice(-MOST_KEPT);
    const isCut = events.length < all.length;
    if (isCut) this.#beforeSeq = events[0]?.seq ?? this.#beforeSeq;
    this.#show({ events, hasEarlier: this.#state.hasEarlier || isCut });
  }

  #page(range: { afterSeq?: number; beforeSeq?: number; descending?: boolean }) {
    const { runId, nodeId, types } = this.#query;
    return this.#client.listEvents({ runId, nodeId, types, limit: PAGE, ...range });
  }

  #ofRound(events: readonly SequencedEvent[]): SequencedEvent[] {
    return events.filter(({ event }) => !("iteration" in event) || event.iteration === this.#query.iteration);
  }

  async #oneAtATime(read: () => Promise<void>): Promise<void> {
    this.#isReading = true;
    try {
      await read();
      if (this.#state.error !== undefined) this.#show({ error: undefined });
    } catch (error) {
      this.#show({ isLoading: false, error: error as Error });
    } finally {
      this.#isReading = false;
    }
  }

  #show(change: Partial<NodeLogState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
