import type BetterSqlite3 from "better-sqlite3";
import { ServiceError } from "../../errors/service-error.js";
import { serviceMetrics } from "../../metrics/catalog.js";
import type { WriteOutcome } from "../contract.js";
import type { Durability, Query, SqlRow, SqlValue, Statement, SyncSqlPort } from "../sql-port.js";
import { type BusyPolicy, retryBusy } from "./retry-busy.js";
import { RowTexts, rowsAtOnce } from "./row-texts.js";
import { monotonicMs } from "../../util/monotonic-ms.js";

const { dbQueryMs, dbTransactionMs, dbTransactionRollbacks } = serviceMetrics;

/** Runs once per database: not worth keeping. */
const DEFINITION = /^\s*(CREATE|ALTER|DROP)/;

/** What `PRAGMA synchronous` answers for FULL. */
const FULL = 2;

/** Takes the parameters in one list or in several. */
type Prepared = BetterSqlite3.Statement<(readonly SqlValue[])[]>;

/** better-sqlite3 behind the port. Prepared statements live as long as the connection. */
export class SqlitePort implements SyncSqlPort {
  readonly #db: BetterSqlite3.Database;
  readonly #policy: BusyPolicy;
  readonly #statements = new Map<string, Prepared>();
  readonly #rowTexts = new RowTexts();
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
    const startedAt = monotonicMs();
    const rows = retryBusy(isRead ? "read" : "write", this.#policy, () => this.#rows(sql, params));
    (isRead ? dbQueryMs : dbTransactionMs).observe(monotonicMs() - startedAt);
    if (!isRead) this.#afterWrite();
    return rows;
  }

  snapshot(queries: readonly Pick<Query<unknown>, "sql" | "params">[]): SqlRow[][] {
    const startedAt = monotonicMs();
    const results = retryBusy("read", this.#policy, () => {
      this.#beginRead.run();
      return this.#inside(() => queries.map(({ sql, params }) => this.#rows(sql, params)));
    });
    dbQueryMs.observe(monotonicMs() - startedAt);
    return results;
  }

  write(statements: readonly Statement[], durability: Durability = "full"): void {
    this.exclusive(() => this.runAll(statements), durability);
  }

  /** One transaction around reads and writes of `body`, which sees no other writer; part of the one that is open. */
  exclusive<T>(body: () => T, durability: Durability = "full"): T {
    if (this.#db.inTransaction) return body();
    if (durability === "relaxed" && this.#canRelax) return this.#relaxed(() => this.exclusive(body));
    const startedAt = monotonicMs();
    const result = retryBusy("write", this.#policy, () => {
      this.#begin.run();
      return this.#inside(body);
    });
    dbTransactionMs.observe(monotonicMs() - startedAt);
    this.#afterWrite();
    return result;
  }

  /**
   * One transaction for all members; the first statement of each is its fence. A member whose
   * fence holds it back, or that has no statements to give, has written nothing and fails alone.
   * When anything else fails, a full disk say, each member tries by itself, so that only what
   * really does not fit fails.
   *
   * @throws DB_BUSY when nobody could write
   */
  together(members: readonly (() => readonly Statement[])[]): WriteOutcome[] {
    if (members.length > 1) {
      try {
        return this.exclusive(() => this.#asOne(members));
      } catch (error) {
        if (ServiceError.is(error, "DB_BUSY") || ServiceError.is(error, "DB_LOST")) throw error;
      }
    }
    return members.map((member) => this.#outcome(() => this.write(member())));
  }

  /** The statements, as part of the transaction that is open. */
  runAll(statements: readonly Statement[]): void {
    for (let at = 0; at < statements.length; ) {
      const statement = statements[at] as Statement;
      if (statement.isRow === true) at = this.#writeRows(statements, at);
      else {
        this.#apply(statement);
        at += 1;
      }
    }
  }

  #relaxed<T>(body: () => T): T {
    this.#prepared("PRAGMA synchronous = NORMAL").run([]);
    try {
      return body();
    } finally {
      this.#prepared("PRAGMA synchronous = FULL").run([]);
    }
  }

  #asOne(members: readonly (() => readonly Statement[])[]): WriteOutcome[] {
    // Rows of all members go last, table by table: no other statement of a step looks at them.
    const rows = new Map<string, Statement[]>();
    const outcomes = members.map((member) => this.#join(member, rows));
    for (const ofOneText of rows.values()) this.runAll(ofOneText);
    return outcomes;
  }

  /** Runs what a member has besides rows, which it leaves in `rows`. Throws where more than its fence has been written. */
  #join(member: () => readonly Statement[], rows: Map<string, Statement[]>): WriteOutcome {
    let statements: readonly Statement[];
    try {
      statements = member();
    } catch (error) {
      return { ok: false, error };
    }
    for (let index = 0; index < statements.length; index += 1) {
      const statement = statements[index] as Statement;
      if (statement.isRow === true) {
        const known = rows.get(statement.sql);
        if (known === undefined) rows.set(statement.sql, [statement]);
        else known.push(statement);
        continue;
      }
      const changes = this.touch(statement);
      if (isExpected(statement, changes)) continue;
      const error = missed(statement, changes);
      if (index > 0 || changes > 0) throw error;
      return { ok: false, error };
    }
    return { ok: true };
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
    const changes = this.touch(statement);
    if (!isExpected(statement, changes)) throw missed(statement, changes);
  }

  /** Writes the rows from `at` on that have one text. @returns where the next statement is */
  #writeRows(statements: readonly Statement[], at: number): number {
    const { sql, params } = statements[at] as Statement;
    let end = at + 1;
    while (end < statements.length && statements[end]?.sql === sql) end += 1;
    while (at < end) {
      const count = rowsAtOnce(end - at, params.length);
      if (count === 1) this.#prepared(sql).run((statements[at] as Statement).params);
      else {
        const lists: (readonly SqlValue[])[] = [];
        for (let index = at; index < at + count; index += 1)
          lists.push((statements[index] as Statement).params);
        this.#prepared(this.#rowTexts.of(sql, count)).run(...lists);
      }
      at += count;
    }
    return end;
  }

  #rows(sql: string, params: readonly SqlValue[]): SqlRow[] {
    return this.#prepared(sql).raw(true).all(params) as SqlRow[];
  }

  #prepared(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare<(readonly SqlValue[])[]>(sql);
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

function isExpected({ expectRows }: Statement, changes: number): boolean {
  return expectRows === undefined || changes === expectRows;
}

function missed({ sql, expectRows, onMiss }: Statement, changes: number): Error {
  return (
    onMiss?.() ??
    new ServiceError(
      "DB_WRITE_FAILED",
      `A statement touched ${changes} rows instead of ${expectRows}: ${sql}`,
    )
  );
}
