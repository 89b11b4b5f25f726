import { setImmediate } from "node:timers/promises";
import type { Lease } from "../../../src/store/lease.js";
import { runLater } from "../../../src/store/logic/answer.js";
import type { Database } from "../../../src/store/logic/database.js";
import { runAll } from "../../../src/store/logic/statements.js";
import type {
  Query,
  SqlActivity,
  SqlPort,
  SqlRow,
  SqlValue,
  Statement,
  Work,
} from "../../../src/store/sql-port.js";
import { SqliteConnection } from "../../../src/store/sqlite/connection.js";
import { isBusy, toStoreError } from "../../../src/store/sqlite/errors.js";
import { resolveSqliteOptions } from "../../../src/store/sqlite/options.js";

type Texts = Pick<Query<unknown>, "sql" | "params">;

/**
 * SQLite as if it were across a network: each statement is answered in a later turn of the event loop, and a
 * transaction stays open over several of them.
 */
export class LateDatabase implements Database<"later"> {
  readonly #connection: SqliteConnection;
  readonly #port: LatePort;

  constructor(path: string) {
    this.#connection = new SqliteConnection(resolveSqliteOptions({ path, synchronous: "normal" }));
    this.#port = new LatePort(this.#connection);
  }

  get path() {
    return this.#connection.path;
  }
  get dialect() {
    return this.#connection.dialect;
  }
  get clock() {
    return this.#connection.clock;
  }
  get commits() {
    return this.#connection.commits;
  }

  read<T>({ sql, params, read }: Query<T>): Promise<T> {
    return this.#port.all(sql, params).then(read);
  }
  run<T>(work: Work<T>): Promise<T> {
    return runLater(this.#port, work);
  }
  prepare(makeTables: () => Work<void>): Promise<void> {
    return this.run(makeTables());
  }
  async checkIntegrity(): Promise<void> {
    this.#connection.checkIntegrity();
  }
  committed(runNo: number, lease: Lease, lastSeq: number | undefined): void {
    this.#connection.committed(runNo, lease, lastSeq);
  }
  released(): void {}
  async changeToken(): Promise<number | undefined> {
    return this.#connection.changeToken();
  }
  async ownWrites(): Promise<number> {
    return this.#connection.ownWrites();
  }
  async close(): Promise<void> {
    this.#connection.close();
  }
}

/** One connection, which statements and transactions have one after the other. */
class LatePort implements SqlPort {
  readonly #connection: SqliteConnection;
  #last: Promise<unknown> = Promise.resolve();

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  all(sql: string, params: readonly SqlValue[]): Promise<SqlRow[]> {
    return this.#inTurn("read", () => new OpenTransaction(this.#db).all(sql, params));
  }
  snapshot(queries: readonly Texts[]): Promise<SqlRow[][]> {
    return this.#inTurn("read", () => this.#transaction("BEGIN", (open) => open.snapshot(queries)));
  }
  write(statements: readonly Statement[]): Promise<void> {
    return this.transaction(() => runAll(statements));
  }
  transaction<T>(body: () => Work<T>): Promise<T> {
    return this.#inTurn("write", () =>
      this.#transaction("BEGIN IMMEDIATE", (open) => runLater(open, body())),
    );
  }
  erase<T>(body: () => Work<T>): Promise<T> {
    return this.transaction(body);
  }
  run(): Promise<number> {
    throw new Error("a statement that counts its rows stands outside of a transaction");
  }

  get #db() {
    const { db } = this.#connection.use();
    // Another connection of this process has the lock: to block here is to wait for ever.
    db.pragma("busy_timeout = 0");
    return db;
  }

  #inTurn<T>(activity: SqlActivity, body: () => Promise<T>): Promise<T> {
    const answer = this.#last.then(body).catch((error: unknown) => {
      throw toStoreError(error, activity, this.#connection.path);
    });
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #transaction<T>(begin: string, body: (open: OpenTransaction) => Promise<T>): Promise<T> {
    const db = this.#db;
    const open = new OpenTransaction(db);
    await open.exec(begin);
    try {
      const result = await body(open);
      await open.exec("COMMIT");
      return result;
    } catch (error) {
      if (db.inTransaction) db.exec("ROLLBACK");
      throw error;
    }
  }
}

type Db = ReturnType<SqliteConnection["use"]>["db"];

class OpenTransaction implements SqlPort {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  all(sql: string, params: readonly SqlValue[]): Promise<SqlRow[]> {
    return this.#later(() => this.#db.prepare(sql).raw(true).all(params) as SqlRow[]);
  }
  async snapshot(queries: readonly Texts[]): Promise<SqlRow[][]> {
    const results: SqlRow[][] = [];
    for (const { sql, params } of queries) results.push(await this.all(sql, params));
    return results;
  }
  run(sql: string, ...params: (readonly SqlValue[])[]): Promise<number> {
    return this.#later(() => this.#db.prepare(sql).run(params.flat()).changes);
  }
  write(statements: readonly Statement[]): Promise<void> {
    return runLater(this, runAll(statements));
  }
  transaction<T>(body: () => Work<T>): Promise<T> {
    return runLater(this, body());
  }
  erase<T>(body: () => Work<T>): Promise<T> {
    return runLater(this, body());
  }
  exec(sql: string): Promise<unknown> {
    return this.#later(() => this.#db.exec(sql));
  }

  async #later<T>(body: () => T): Promise<T> {
    for (;;) {
      await setImmediate();
      try {
        return body();
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
    }
  }
}
