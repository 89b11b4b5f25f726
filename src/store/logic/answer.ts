import type { Awaitable } from "../../util/awaitable.js";
import type { Ask, Query, SqlPort, SyncSqlPort, Work } from "../sql-port.js";

/** How a value comes: at once, or with a promise. */
interface Answers<T> {
  now: T;
  soon: Awaitable<T>;
  later: Promise<T>;
}

/** When a database answers. */
export type When = keyof Answers<unknown>;

/** Return types of a store that answers now or later. */
export type Answered<W extends When, T> = Answers<T>[W];

/** Answers queries and runs store logic, on the port of a database that is opened with the first call. */
export interface WorkRunner<W extends When> {
  read<T>(query: Query<T>): Answered<W, T>;
  run<T>(work: Work<T>): Answered<W, T>;
}

/** Runs store logic on a port that answers at once: without a promise, and without letting anything else happen between. */
export function runNow<T>(port: SyncSqlPort, work: Work<T>): T {
  let step = work.next();
  while (step.done !== true) {
    let answer: unknown;
    try {
      answer = step.value(port);
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(answer);
  }
  return step.value;
}

/** As `runNow` as long as the port answers at once; from its first promise on, with promises. */
export function runSoon<T>(port: SqlPort, work: Work<T>): Awaitable<T> {
  let step = work.next();
  while (step.done !== true) {
    let answer: unknown;
    try {
      answer = step.value(port);
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    if (answer instanceof Promise) return proceedLater(port, work, answer);
    step = work.next(answer);
  }
  return step.value;
}

/** As `runNow`, on a port that answers later. */
export async function runLater<T>(port: SqlPort, work: Work<T>): Promise<T> {
  return proceed(port, work, work.next());
}

async function proceedLater<T>(port: SqlPort, work: Work<T>, answer: Promise<unknown>): Promise<T> {
  return proceed(port, work, await nextAfter(work, () => answer));
}

async function proceed<T>(port: SqlPort, work: Work<T>, first: IteratorResult<Ask, T>): Promise<T> {
  let step = first;
  while (step.done !== true) {
    const ask = step.value;
    step = await nextAfter(work, () => ask(port));
  }
  return step.value;
}

async function nextAfter<T>(work: Work<T>, ask: () => Awaitable<unknown>): Promise<IteratorResult<Ask, T>> {
  let answer: unknown;
  try {
    answer = await ask();
  } catch (error) {
    return work.throw(error);
  }
  return work.next(answer);
}
