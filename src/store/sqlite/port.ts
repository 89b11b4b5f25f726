import type BetterSqlite3 from "better-sqlite3";
import { ServiceError } from "../../errors/service-error.js";
import type { Query, SqlRow, SqlValue, Statement, SyncSqlPort } from "../sql-port.js";
import { isBusy, type SqlActivity, toStoreError } from "./errors.js";

export interface SqlitePortOptions {
  /** File as messages name it. */
  path: string;
  /** How long to go on trying for a lock that others hold, milliseconds. */
  busyTimeoutMs: number;
}

/** First pause between two attempts at a lock, milliseconds; it doubles. */
const FIRST_PAUSE_MS = 10;

/** Runs once per database: not worth keeping. */
const DEFINITION = /^\s*(CREATE|ALTER|DROP)/;

/** better-sqlite3 behind the port. Prepared statements live as long as the connection. */
export class SqlitePort implements SyncSqlPort {
  readonly #db: BetterSqlite3.Database;
  readonly #options: SqlitePortOptions;
  readonly #statements = new Map<string, BetterSqlite3.Statement<[readonly SqlValue[]]>>();
  readonly #begin: BetterSqlite3.Statement;
  readonly #beginRead: BetterSqlite3.Statement;
  readonly #commit: BetterSqlite3.Statement;

  constructor(db: BetterSqlite3.Database, options: SqlitePortOptions) {
    this.#db = db;
    this.#options = options;
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#beginRead = db.prepare("BEGIN");
    this.#commit = db.prepare("COMMIT");
  }

  all(sql: string, params: readonly SqlValue[]): SqlRow[] {
    return this.#attempt(sql.startsWith("SELECT") ? "read" : "write", () => this.#rows(sql, params));
  }

  snapshot(queries: readonly Pick<Query<unknown>, "sql" | "params">[]): SqlRow[][] {
    return this.#attempt("read", () => {
      this.#beginRead.run();
      return this.#inside(() => queries.map(({ sql, params }) => this.#rows(sql, params)));
    });
  }

  write(statements: readonly Statement[]): void {
    this.exclusive(() => this.runAll(statements));
  }

  /** One transaction around reads and writes of `body`, which sees no other writer. */
  exclusive<T>(body: () => T): T {
    return this.#attempt("write", () => {
      this.#begin.run();
      return this.#inside(body);
    });
  }

  /** The statements, as part of the transaction that is open. */
  runAll(statements: readonly Statement[]): void {
    for (const statement of statements) this.#apply(statement);
  }

  #apply({ sql, params, expectRows, onMiss }: Statement): void {
    const { changes } = this.#prepared(sql).run(params);
    if (expectRows === undefined || changes === expectRows) return;
    throw (
      onMiss?.() ??
      new ServiceError(
        "DB_WRITE_FAILED",
        `A statement touched ${changes} rows instead of ${expectRows}: ${sql}`,
      )
    );
  }

  #rows(sql: string, params: readonly SqlValue[]): SqlRow[] {
    return this.#prepared(sql).raw(true).all(params) as SqlRow[];
  }

  #prepared(sql: string): BetterSqlite3.Statement<[readonly SqlValue[]]> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare<[readonly SqlValue[]]>(sql);
    if (!DEFINITION.test(sql)) this.#statements.set(sql, statement);
    return statement;
  }

  /** Runs the body of an open transaction: commits its result, or rolls back and throws. */
  #inside<T>(body: () => T): T {
    try {
      const result = body();
      this.#commit.run();
      return result;
    } catch (error) {
      // A full disk has rolled back already.
      if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  /**
   * SQLite waits for locks by itself, but some refusals come at once (a writer
   * that upgrades, a log being recovered). Those are tried again until the
   * waiting time is over.
   */
  #attempt<T>(activity: SqlActivity, body: () => T): T {
    const startedAt = performance.now();
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
      try {
        return body();
      } catch (error) {
        const elapsedMs = performance.now() - startedAt;
        if (!isBusy(error) || elapsedMs + pauseMs >= this.#options.busyTimeoutMs) {
          throw toStoreError(error, activity, this.#options.path);
        }
        sleepSync(pauseMs);
      }
    }
  }
}

/** Blocks the thread: a synchronous store has no other way to wait. */
function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
