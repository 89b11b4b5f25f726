import type { Awaitable } from "../../util/awaitable.js";
import type { Durability, Query, SqlPort, SqlRow, Statement, Work } from "../sql-port.js";

/* The parts of store logic. */

export function* askPort<T>(request: (port: SqlPort) => Awaitable<T>): Work<T> {
  return (yield request) as T;
}

export function* read<T>({ sql, params, read }: Query<T>): Work<T> {
  return read(yield* askPort((port) => port.all(sql, params)));
}

export function snapshot(queries: readonly Pick<Query<unknown>, "sql" | "params">[]): Work<SqlRow[][]> {
  return askPort((port) => port.snapshot(queries));
}

export function write(statements: readonly Statement[], durability?: Durability): Work<void> {
  return askPort((port) => port.write(statements, durability));
}

export function transaction<T>(body: () => Work<T>, durability?: Durability): Work<T> {
  return askPort((port) => port.transaction(body, durability));
}

export function erase<T>(body: () => Work<T>): Work<T> {
  return askPort((port) => port.erase(body));
}

/** False when a statement that was given `onMiss` has missed its rows; then nothing was written. */
export function* unlessMissed(work: (onMiss: () => Error) => Work<unknown>): Work<boolean> {
  const missed = new Error("another writer was faster");
  try {
    yield* work(() => missed);
    return true;
  } catch (error) {
    if (error === missed) return false;
    throw error;
  }
}
