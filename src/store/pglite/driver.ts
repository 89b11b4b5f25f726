import { createRequire } from "node:module";
import type { Extensions, PGlite } from "@electric-sql/pglite";
import { ServiceError } from "../../errors/service-error.js";
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
import { isCrash } from "../postgres/errors.js";
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

function notOpened(dataDir: string, cause: unknown): ServiceError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ServiceError(
    "STORAGE_ERROR",
    `Cannot open the folder ${dataDir} of PGlite: ${why}. A full disk, a damaged folder and one of another version of Postgres are the usual ones.`,
    { cause, details: { path: dataDir } },
  );
}

/** Who hears of a channel, and how to stop that at the present instance. */
interface Listening {
  readonly channel: string;
  readonly listener: ChannelListener;
  stop(): Promise<void>;
}

/** Postgres inside this process: one connection, which transactions have one after the other. */
export class PgliteDriver implements Driver {
  readonly #start: () => Promise<PGlite>;
  readonly #unlock: () => Promise<void>;
  readonly #listening = new Set<Listening>();
  #db: PGlite;
  /** The error that has ended the instance, which answers nothing any more. */
  #end: { error: unknown } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param dataDir absent: in memory
   * @throws DB_DRIVER_MISSING, DB_BUSY when another process has the folder open, STORAGE_ERROR when it cannot be opened
   */
  static async open(dataDir: string | undefined): Promise<PgliteDriver> {
    const { PGlite } = loadDriver(PACKAGE, () => require(PACKAGE) as typeof import("@electric-sql/pglite"));
    const start = async (options: { dataDir?: string }) => {
      const extensions = comparing();
      const db = await PGlite.create({ ...options, extensions });
      if ("vector" in extensions) await db.exec("CREATE EXTENSION IF NOT EXISTS vector");
      return db;
    };
    if (dataDir === undefined) {
      const db = await start({});
      const isGone = () => Promise.reject(new Error("a database in memory ends with its instance"));
      return new PgliteDriver(db, { start: isGone, unlock: async () => {} });
    }
    const unlock = await lockFolder(dataDir);
    try {
      return new PgliteDriver(await start({ dataDir }), { start: () => start({ dataDir }), unlock });
    } catch (error) {
      await unlock();
      throw notOpened(dataDir, error);
    }
  }

  /** @param start another instance, with what was committed */
  private constructor(
    db: PGlite,
    { start, unlock }: { start: () => Promise<PGlite>; unlock: () => Promise<void> },
  ) {
    this.#db = db;
    this.#start = start;
    this.#unlock = unlock;
  }

  withSession<T>(body: (session: Session) => Promise<T>): Promise<T> {
    const session: Session = {
      send: (statements) => this.#send(statements),
      transact: (statements) => this.#transact(statements),
    };
    const answer = this.#last.then(async () => {
      if (this.#end !== undefined) await this.#startAgain(this.#end);
      return body(session);
    });
    this.#last = answer.catch(() => {});
    return answer;
  }

  async listen(channel: string, listener: ChannelListener): Promise<() => void> {
    const listening: Listening = { channel, listener, stop: async () => {} };
    await this.withSession(() => this.#hear(listening));
    return () => {
      this.#listening.delete(listening);
      void this.withSession(() => listening.stop()).catch(() => {});
    };
  }

  async #hear(listening: Listening): Promise<void> {
    const { channel, listener } = listening;
    listening.stop = await this.#db.listen(`"${channel}"`, (payload) => listener.onNews(payload));
    this.#listening.add(listening);
  }

  /** As a server does after a crash. @throws what has ended the instance, where there cannot be another */
  async #startAgain(end: { error: unknown }): Promise<void> {
    try {
      this.#db = await this.#start();
    } catch {
      throw end.error;
    }
    this.#end = undefined;
    for (const listening of this.#listening) {
      await this.#hear(listening);
      listening.listener.onGap();
    }
  }

  async close(): Promise<void> {
    await this.#last;
    if (this.#end === undefined) await this.#db.close();
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
    if (this.#end !== undefined) return { answers, ...this.#end };
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
        if (isCrash(error)) this.#end = { error };
        return { answers, error };
      }
    }
    return { answers };
  }
}
