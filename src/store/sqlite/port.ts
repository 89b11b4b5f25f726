import type BetterSqlite3 from "better-sqlite3";
import { serviceMetrics } from "../../metrics/catalog.js";
import { runNow } from "../logic/answer.js";
import { runAll } from "../logic/statements.js";
import type { Durability, Query, SqlRow, SqlValue, Statement, SyncSqlPort, Work } from "../sql-port.js";
import { type BusyPolicy, retryBusy } from "./retry-busy.js";
import { monotonicMs } from "../../util/monotonic-ms.js";

const { dbQueryMs, dbTransactionMs, dbTransactionRollbacks } = serviceMetrics;

/** Runs once per database: not worth keeping. */
const DEFINITION = /^\s*(CREATE|ALTER|DROP)/;

/** Whether a text of the store's asks for rows and changes nothing. */
export function isReading(sql: string): boolean {
  return sql.startsWith("SELECT") || sql.startsWith("PRAGMA");
}

/** Takes the parameters in one list or in several. */
type Prepared = BetterSqlite3.Statement<(readonly SqlValue[])[]>;

/** Callbacks after statements. */
export interface AfterStatements {
  /** May refuse to call a write done, or what was read an answer. */
  any(): void;
  /** Deleted content is still in the write-ahead log. */
  erasure(): void;
}

/** better-sqlite3 behind the port. Prepared statements live as long as the connection. */
export class SqlitePort implements SyncSqlPort {
  readonly #db: BetterSqlite3.Database;
  readonly #policy: BusyPolicy;
  readonly #statements = new Map<string, Prepared>();
  readonly #begin: BetterSqlite3.Statement;
  readonly #beginRead: BetterSqlite3.Statement;
  readonly #commit: BetterSqlite3.Statement;
  /** Only a write-ahead log stays intact when its newest transaction has not reached the disk. */
  readonly #canRelax: boolean;
  readonly #after: AfterStatements;

  constructor(
    db: BetterSqlite3.Database,
    { policy, canRelax, after }: { policy: BusyPolicy; canRelax: boolean; after: AfterStatements },
  ) {
    this.#after = after;
    this.#db = db;
    this.#policy = policy;
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#beginRead = db.prepare("BEGIN");
    this.#commit = db.prepare("COMMIT");
    this.#canRelax = canRelax;
  }

  all(sql: string, params: readonly SqlValue[]): SqlRow[] {
    const isRead = isReading(sql);
    const startedAt = monotonicMs();
    const rows = retryBusy(isRead ? "read" : "write", this.#policy, () => this.#rows(sql, params));
    (isRead ? dbQueryMs : dbTransactionMs).observe(monotonicMs() - startedAt);
    if (!this.#db.inTransaction) this.#after.any();
    return rows;
  }

  snapshot(queries: readonly Pick<Query<unknown>, "sql" | "params">[]): SqlRow[][] {
    const startedAt = monotonicMs();
    const results = retryBusy("read", this.#policy, () => {
      this.#beginRead.run();
      return this.#inside(() => queries.map(({ sql, params }) => this.#rows(sql, params)));
    });
    dbQueryMs.observe(monotonicMs() - startedAt);
    this.#after.any();
    return results;
  }

  write(statements: readonly Statement[], durability?: Durability): void {
    this.transaction(() => runAll(statements), durability);
  }

  transaction<T>(body: () => Work<T>, durability: Durability = "full"): T {
    if (this.#db.inTransaction) return runNow(this, body());
    if (durability === "relaxed" && this.#canRelax) return this.#relaxed(() => this.transaction(body));
    const startedAt = monotonicMs();
    const result = retryBusy("write", this.#policy, () => {
      this.#begin.run();
      return this.#inside(() => runNow(this, body()));
    });
    dbTransactionMs.observe(monotonicMs() - startedAt);
    this.#after.any();
    return result;
  }

  erase<T>(body: () => Work<T>): T {
    this.#db.pragma("secure_delete = ON");
    try {
      return this.transaction(body);
    } finally {
      this.#db.pragma("secure_delete = OFF");
      this.#after.erasure();
    }
  }

  run(sql: string, ...params: (readonly SqlValue[])[]): number {
    return this.#prepared(sql).run(...params).changes;
  }

  #relaxed<T>(body: () => T): T {
    this.#prepared("PRAGMA synchronous = NORMAL").run([]);
    try {
      return body();
    } finally {
      this.#prepared("PRAGMA synchronous = FULL").run([]);
    }
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
