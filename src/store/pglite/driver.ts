import { createRequire } from "node:module";
import type { PGlite } from "@electric-sql/pglite";
import type { SqlRow } from "../sql-port.js";
import type {
  ChannelListener,
  Driver,
  SentAnswers,
  SentStatement,
  Session,
  StatementAnswer,
  TransactionEnd,
} from "../postgres/driver.js";
import { loadDriver } from "../postgres/load-driver.js";
import { asSent } from "../postgres/statement-text.js";
import { NUMBERS, reader, TEXTS } from "../postgres/values.js";
import { lockFolder } from "./data-lock.js";

const require = createRequire(import.meta.url);
const PACKAGE = "@electric-sql/pglite";

const [BEGIN, COMMIT, ROLLBACK] = [asSent("BEGIN", []), asSent("COMMIT", []), asSent("ROLLBACK", [])];

/** How values are read, by the numbers of their types. */
const parsers = Object.fromEntries([...NUMBERS, ...TEXTS].map((type) => [type, reader(type)]));

/** Postgres inside this process: one connection, which transactions have one after the other. */
export class PgliteDriver implements Driver {
  readonly #db: PGlite;
  readonly #unlock: () => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param dataDir absent: in memory
   * @throws DB_DRIVER_MISSING, DB_BUSY when another process has the folder open
   */
  static async open(dataDir: string | undefined): Promise<PgliteDriver> {
    const { PGlite } = loadDriver(PACKAGE, () => require(PACKAGE) as typeof import("@electric-sql/pglite"));
    if (dataDir === undefined) return new PgliteDriver(await PGlite.create({}), async () => {});
    const unlock = await lockFolder(dataDir);
    try {
      return new PgliteDriver(await PGlite.create({ dataDir }), unlock);
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  private constructor(db: PGlite, unlock: () => Promise<void>) {
    this.#db = db;
    this.#unlock = unlock;
  }

  withSession<T>(body: (session: Session) => Promise<T>): Promise<T> {
    const session: Session = {
      send: (statements) => this.#send(statements),
      transact: (statements) => this.#transact(statements),
    };
    const answer = this.#last.then(() => body(session));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async listen(channel: string, listener: ChannelListener): Promise<() => void> {
    const stop = await this.withSession(() =>
      this.#db.listen(`"${channel}"`, (payload) => listener.onNews(payload)),
    );
    return () => void this.withSession(() => stop()).catch(() => {});
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#db.close();
    await this.#unlock();
  }

  async #transact(statements: readonly SentStatement[]): Promise<TransactionEnd> {
    const { answers, error } = await this.#send([BEGIN, ...statements, COMMIT]);
    if (error === undefined) return { done: statements.length };
    await this.#send([ROLLBACK]);
    return { done: answers.length - 1, error };
  }

  async #send(statements: readonly SentStatement[]): Promise<SentAnswers> {
    const answers: StatementAnswer[] = [];
    for (const { text, values } of statements) {
      try {
        const { rows, affectedRows, fields } = await this.#db.query(text, [...values], {
          rowMode: "array",
          parsers,
        });
        answers.push({
          rows: rows as unknown as SqlRow[],
          columns: fields.map(({ name }) => name),
          changes: affectedRows ?? rows.length,
        });
      } catch (error) {
        return { answers, error };
      }
    }
    return { answers };
  }
}
