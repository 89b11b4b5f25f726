import type { GatewayClient, SequencedEvent, WorkspaceChange } from "../client/index.js";
import { concernsRun } from "./concerns-run.js";

/** The events of a run as far as they have come. */
export interface EventLogState {
  /** In order, without gaps other than the oldest that no longer fit. */
  events: readonly SequencedEvent[];
  /** Why there are no more; undefined while all is well. */
  error: Error | undefined;
  /** The run has ended, and these are all, until a process continues with it. */
  isOver: boolean;
}

export interface EventLogOptions {
  runId: string;
  afterSeq: number;
  /** Newest events that are kept. */
  limit: number;
}

/** Many events that come at once are shown together. */
const SHOWN_EVERY_MS = 50;
/** How often it is looked, without a word of the gateway, whether a process continues with a run that has ended, milliseconds. */
export const ENDED_LOOK_MS = 15_000;

/** One run's events for all components that show them: one stream as long as a component shows them. */
export class EventLog {
  readonly #client: GatewayClient;
  readonly #options: EventLogOptions;
  readonly #onNews: () => void;
  readonly #listeners = new Set<() => void>();
  #state: EventLogState = { events: [], error: undefined, isOver: false };
  #arrived: SequencedEvent[] = [];
  #reading: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #next: ReturnType<typeof setTimeout> | undefined;

  /** @param onNews something has happened in the run */
  constructor(client: GatewayClient, options: EventLogOptions, onNews: () => void) {
    this.#client = client;
    this.#options = options;
    this.#onNews = onNews;
  }

  isAbout(change: WorkspaceChange): boolean {
    return concernsRun(this.#options.runId, change);
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  readonly state = (): EventLogState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) void this.#read();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#reading?.abort();
      this.#reading = undefined;
      clearTimeout(this.#next);
      this.#next = undefined;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  };

  /** The gateway says that something has changed in the run: reads on at once where its end was reached. */
  nudge(): void {
    if (this.#next !== undefined && this.#reading !== undefined) void this.#lookAgain(this.#reading);
  }

  async #read(): Promise<void> {
    const reading = new AbortController();
    this.#reading = reading;
    // A component that is shown again gets the rest.
    const afterSeq = this.#newest()?.seq ?? this.#options.afterSeq;
    const events = this.#client.runEvents(this.#options.runId, {
      afterSeq,
      signal: reading.signal,
      onGap: () => {},
    });
    try {
      for await (const event of events) {
        // On its way while it was given up: the reader that replaced it gets it too.
        if (this.#reading !== reading) return;
        this.#arrived.push(event);
        this.#timer ??= setTimeout(() => this.#show({}), SHOWN_EVERY_MS);
      }
      if (this.#reading === reading) this.#end(reading);
    } catch (error) {
      if (this.#reading === reading) this.#show({ error: error as Error });
    }
  }

  #end(reading: AbortController): void {
    if (!this.#state.isOver || this.#arrived.length > 0) this.#show({ isOver: true });
    this.#next = setTimeout(() => void this.#lookAgain(reading), ENDED_LOOK_MS);
  }

  /** Reads on once there is more than the end. */
  async #lookAgain(reading: AbortController): Promise<void> {
    clearTimeout(this.#next);
    this.#next = undefined;
    const { runId, afterSeq: first } = this.#options;
    const afterSeq = this.#newest()?.seq ?? first;
    const isMore = await this.#client
      .listEvents({ runId, afterSeq, limit: 1 }, { signal: reading.signal })
      .then(
        ({ events }) => events.length > 0,
        // The component that shows the run reports that it cannot be read.
        () => false,
      );
    if (this.#reading !== reading) return;
    if (isMore) void this.#read();
    else this.#end(reading);
  }

  #newest(): SequencedEvent | undefined {
    return this.#arrived.at(-1) ?? this.#state.events.at(-1);
  }

  #show(change: Partial<EventLogState>): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const isNews = this.#arrived.length > 0;
    const events = isNews
      ? [...this.#state.events, ...this.#arrived].slice(-this.#options.limit)
      : this.#state.events;
    this.#arrived = [];
    this.#state = { error: undefined, isOver: false, ...change, events };
    for (const listener of this.#listeners) listener();
    if (isNews) this.#onNews();
  }
}
