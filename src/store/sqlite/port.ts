import type BetterSqlite3 from "better-sqlite3";
import { ServiceError } from "../../errors/service-error.js";
import { serviceMetrics } from "../../metrics/catalog.js";
import type { WriteOutcome } from "../contract.js";
import type { Durability, Query, SqlRow, SqlValue, Statement, SyncSqlPort } from "../sql-port.js";
import { isBusy, toStoreError } from "./errors.js";
import { type BusyPolicy, retryBusy } from "./retry-busy.js";

const { dbQueryMs, dbTransactionMs, dbTransactionRollbacks } = serviceMetrics;

/** Runs once per database: not worth keeping. */
const DEFINITION = /^\s*(CREATE|ALTER|DROP)/;

/** What `PRAGMA synchronous` answers for FULL. */
const FULL = 2;

/** better-sqlite3 behind the port. Prepared statements live as long as the connection. */
export class SqlitePort implements SyncSqlPort {
  readonly #db: BetterSqlite3.Database;
  readonly #policy: BusyPolicy;
  readonly #statements = new Map<string, BetterSqlite3.Statement<[readonly SqlValue[]]>>();
  readonly #begin: BetterSqlite3.Statement;
  readonly #beginRead: BetterSqlite3.Statement;
  readonly #commit: BetterSqlite3.Statement;
  /** Only a write-ahead log stays intact when its newest transaction has not reached the disk. */
  readonly #canRelax: boolean;
  readonly #afterWrite: () => void;

  /** `afterWrite` may refuse to call a write done. */
  constructor(db: BetterSqlite3.Database, policy: BusyPolicy, afterWrite: () => void = () => {}) {
    this.#afterWrite = afterWrite;
    this.#db = db;
    this.#policy = policy;
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#beginRead = db.prepare("BEGIN");
    this.#commit = db.prepare("COMMIT");
    const isWal = db.pragma("journal_mode", { simple: true }) === "wal";
    this.#canRelax = isWal && db.pragma("synchronous", { simple: true }) === FULL;
  }

  all(sql: string, params: readonly SqlValue[]): SqlRow[] {
    const isRead = sql.startsWith("SELECT") || sql.startsWith("PRAGMA");
    const startedAt = performance.now();
    const rows = retryBusy(isRead ? "read" : "write", this.#policy, () => this.#rows(sql, params));
    (isRead ? dbQueryMs : dbTransactionMs).observe(performance.now() - startedAt);
    if (!isRead) this.#afterWrite();
    return rows;
  }

  snapshot(queries: readonly Pick<Query<unknown>, "sql" | "params">[]): SqlRow[][] {
    const startedAt = performance.now();
    const results = retryBusy("read", this.#policy, () => {
      this.#beginRead.run();
      return this.#inside(() => queries.map(({ sql, params }) => this.#rows(sql, params)));
    });
    dbQueryMs.observe(performance.now() - startedAt);
    return results;
  }

  write(statements: readonly Statement[], durability: Durability = "full"): void {
    this.exclusive(() => this.runAll(statements), durability);
  }

  /** One transaction around reads and writes of `body`, which sees no other writer; part of the one that is open. */
  exclusive<T>(body: () => T, durability: Durability = "full"): T {
    if (this.#db.inTransaction) return body();
    if (durability === "relaxed" && this.#canRelax) return this.#relaxed(() => this.exclusive(body));
    const startedAt = performance.now();
    const result = retryBusy("write", this.#policy, () => {
      this.#begin.run();
      return this.#inside(body);
    });
    dbTransactionMs.observe(performance.now() - startedAt);
    this.#afterWrite();
    return result;
  }

  /**
   * One transaction for all members, a savepoint for each: one that fails is undone
   * alone. When the transaction itself is lost, to a full disk say, each member
   * tries by itself, so that only what really does not fit fails.
   *
   * @throws DB_BUSY when nobody could write
   */
  together(members: readonly (() => readonly Statement[])[]): WriteOutcome[] {
    if (members.length > 1) {
      try {
        return this.exclusive(() => members.map((member) => this.#member(member)));
      } catch (error) {
        if (ServiceError.is(error, "DB_BUSY") || ServiceError.is(error, "DB_LOST")) throw error;
      }
    }
    return members.map((member) => this.#outcome(() => this.write(member())));
  }

  /** The statements, as part of the transaction that is open. */
  runAll(statements: readonly Statement[]): void {
    for (const statement of statements) this.#apply(statement);
  }

  #relaxed<T>(body: () => T): T {
    this.#prepared("PRAGMA synchronous = NORMAL").run([]);
    try {
      return body();
    } finally {
      this.#prepared("PRAGMA synchronous = FULL").run([]);
    }
  }

  #member(member: () => readonly Statement[]): WriteOutcome {
    this.#prepared("SAVEPOINT member").run([]);
    const outcome = this.#outcome(() => this.runAll(member()));
    if (!outcome.ok) {
      if (isBusy(outcome.error) || !this.#db.inTransaction) throw outcome.error;
      this.#prepared("ROLLBACK TO member").run([]);
      dbTransactionRollbacks.add();
    }
    this.#prepared("RELEASE member").run([]);
    return outcome.ok
      ? outcome
      : { ok: false, error: toStoreError(outcome.error, "write", this.#policy.path) };
  }

  #outcome(body: () => void): WriteOutcome {
    try {
      body();
      return { ok: true };
    } catch (error) {
      return { ok: false, error };
    }
  }

  /** Runs a statement as part of the transaction that is open; the number of rows that it has touched. */
  touch({ sql, params }: Pick<Statement, "sql" | "params">): number {
    return this.#prepared(sql).run(params).changes;
  }

  #apply(statement: Statement): void {
    const { sql, expectRows, onMiss } = statement;
    const changes = this.touch(statement);
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
      dbTransactionRollbacks.add();
      throw error;
    }
  }
}
