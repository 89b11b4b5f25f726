import { createRequire } from "node:module";
import type { Extensions, PGlite } from "@electric-sql/pglite";
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
const VECTOR_PACKAGE = "@electric-sql/pglite-pgvector";

const [BEGIN, COMMIT, ROLLBACK] = [asSent("BEGIN", []), asSent("COMMIT", []), asSent("ROLLBACK", [])];

/** How values are read, by the numbers of their types. */
const parsers = Object.fromEntries([...NUMBERS, ...TEXTS].map((type) => [type, reader(type)]));

/** The extension that compares vectors, where it is installed. */
function comparing(): Extensions {
  try {
    return require(VECTOR_PACKAGE) as typeof import("@electric-sql/pglite-pgvector");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    return {};
  }
}

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
    const open = async (options: { dataDir?: string }) => {
      const extensions = comparing();
      const db = await PGlite.create({ ...options, extensions });
      if ("vector" in extensions) await db.exec("CREATE EXTENSION IF NOT EXISTS vector");
      return db;
    };
    if (dataDir === undefined) return new PgliteDriver(await open({}), async () => {});
    const unlock = await lockFolder(dataDir);
    try {
      return new PgliteDriver(await open({ dataDir }), unlock);
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
