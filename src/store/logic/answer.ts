import type { Query, SqlPort, SyncSqlPort, Work } from "../sql-port.js";

/** How a value comes: at once, or with a promise. */
interface Answers<T> {
  now: T;
  later: Promise<T>;
}

/** When a database answers. */
export type When = keyof Answers<unknown>;

/** What the methods of a store return that answers now or later. */
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

/** As `runNow`, on a port that answers later. */
export async function runLater<T>(port: SqlPort, work: Work<T>): Promise<T> {
  let step = work.next();
  while (step.done !== true) {
    let answer: unknown;
    try {
      answer = await step.value(port);
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(answer);
  }
  return step.value;
}
