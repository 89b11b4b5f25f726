import { ServiceError } from "../errors/service-error.js";
import { serviceMetrics as m } from "../metrics/catalog.js";
import type { WaitCounts } from "../model/wait-counts.js";
import type { Awaitable } from "../util/awaitable.js";

/** A handle of a database, which can say what waits in it. */
export interface WaitSource {
  countWaits(): Awaitable<WaitCounts>;
}

interface WatchedDatabase {
  /** Newest first. A handle that nothing else holds is forgotten. */
  handles: WeakRef<WaitSource>[];
  /** As of the last answer. */
  counts: WaitCounts;
}

/** Stands for the error of a handle that nothing holds any more. */
const GONE = new Error("The handle is gone.");

/**
 * The gauges of what waits. Runs are suspended by one process and answered by another, so only their databases can
 * tell: each is asked before the gauges are shown.
 */
export class WaitGauges {
  readonly #databases = new Map<string, WatchedDatabase>();

  /** @param database the same for all handles of one */
  watch(database: string, source: WaitSource): void {
    const known = this.#databases.get(database) ?? { handles: [], counts: NONE };
    this.#databases.set(database, known);
    if (known.handles.some((handle) => handle.deref() === source)) return;
    known.handles.unshift(new WeakRef(source));
  }

  /**
   * Asks the databases. Those that answer at once have been asked when the call returns, the others when the promise
   * resolves. It never rejects: a database that cannot be read keeps its last numbers.
   */
  async refresh(): Promise<void> {
    const late = [...this.#databases.values()].map((database) => ask(database));
    this.#show();
    await Promise.all(late);
    this.#show();
  }

  #show(): void {
    for (const [name, { handles }] of this.#databases) if (handles.length === 0) this.#databases.delete(name);
    const sum = (name: keyof WaitCounts) =>
      [...this.#databases.values()].reduce((total, { counts }) => total + counts[name], 0);
    m.approvalPending.set(sum("approvals"));
    m.externalWaitAsyncPending.set(sum("approvals"), { kind: "approval" });
    m.externalWaitAsyncPending.set(sum("events"), { kind: "event" });
    m.timersPending.set(sum("timers"));
  }
}

const NONE: WaitCounts = { approvals: 0, events: 0, timers: 0 };

/** Of the databases that this process serves, or has driven runs of. */
export const waitGauges = new WaitGauges();

/** Asks one handle after another until one can answer. A promise only where the database answers later. */
function ask(database: WatchedDatabase, tried = 0): Awaitable<void> {
  const handle = database.handles[tried];
  if (handle === undefined) return;
  const next = (error: unknown) => {
    const isOver = error === GONE || ServiceError.is(error, "STORAGE_ERROR");
    if (isOver) database.handles.splice(tried, 1);
    return ask(database, isOver ? tried : tried + 1);
  };
  const keep = (counts: WaitCounts) => {
    database.counts = counts;
  };
  try {
    const source = handle.deref();
    if (source === undefined) throw GONE;
    const answer = source.countWaits();
    return answer instanceof Promise ? answer.then(keep, next) : keep(answer);
  } catch (error) {
    return next(error);
  }
}
