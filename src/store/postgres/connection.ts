import { ServiceError } from "../../errors/service-error.js";
import { type Clock, systemClock } from "../../util/clock.js";
import { RunListeners } from "../listeners.js";
import { runLater } from "../logic/answer.js";
import type { Database, Dialect } from "../logic/database.js";
import type { Durability, Query, SqlValue, Work } from "../sql-port.js";
import { postgresDialect } from "./dialect.js";
import type { Driver, StatementAnswer } from "./driver.js";
import { News } from "./news.js";
import { PostgresPort } from "./port.js";
import { MIGRATION_LOCK, prepareDatabase } from "./prepare.js";
import { SERVER_NOW, ServerClock } from "./server-clock.js";

/** A database that is reached by a driver. */
export interface ServerDatabase {
  readonly name: "postgres" | "pglite";
  /** How messages name it. */
  readonly path: string;
  readonly waitMs: number;
  readonly mayCreate: boolean;
  readonly readOnly: boolean;
  /** Its driver, for as long as the handle is open. */
  open(): Promise<Driver>;
}

const AWAKE_MS = 1_000;

interface OpenDatabase {
  driver: Driver;
  port: PostgresPort;
  news: News;
}

/** A database of Postgres or PGlite that is connected to, checked and migrated at its first use. */
export class PostgresConnection implements Database<"later"> {
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly commits: RunListeners;
  readonly #server: ServerDatabase;
  #open: Promise<OpenDatabase> | undefined;
  #isClosed = false;
  #ownWrites = 0;

  constructor(server: ServerDatabase) {
    this.#server = server;
    this.dialect = postgresDialect(server.name);
    // PGlite is in this process.
    this.clock = server.name === "pglite" ? systemClock : ServerClock.of(server.path);
    this.commits = RunListeners.ofFile(server.path);
  }

  get path(): string {
    return this.#server.path;
  }

  async read<T>({ sql, params, read }: Query<T>): Promise<T> {
    const { port } = await this.use();
    return read(await port.all(sql, params));
  }

  async run<T>(work: Work<T>): Promise<T> {
    const { port } = await this.use();
    return runLater(port, work);
  }

  /** Reads alone that see one moment, for as long as they take. */
  async reading<T>(body: () => Work<T>): Promise<T> {
    const { port } = await this.use();
    return port.reading(body);
  }

  /** Makes tables beside the engine's, one process after the other. */
  async migrate(makeTables: () => Work<void>): Promise<void> {
    const { port } = await this.use();
    await port.migration(MIGRATION_LOCK, makeTables);
  }

  /** Work of another package's at the same server, again while that is away. Done twice it is done once. */
  async byOthers<T>(body: () => Promise<T>): Promise<T> {
    const { port } = await this.use();
    return port.byOthers(body);
  }

  /** A statement of the caller's own, in the words of Postgres. */
  async query(text: string, params: readonly SqlValue[]): Promise<StatementAnswer> {
    const { port } = await this.use();
    return port.query(text, params);
  }

  async prepare(makeTables: () => Work<void>): Promise<void> {
    await this.use(makeTables);
  }

  /** Opens on the first call, and again after one that has failed; what is still to be made then is made by `makeTables`. */
  async use(makeTables: () => Work<void> = noTables): Promise<OpenDatabase> {
    if (this.#isClosed) {
      throw new ServiceError("STORAGE_ERROR", `The database ${this.path} was closed and is used again.`, {
        retryable: false,
      });
    }
    const open = this.#open ?? this.#connect(makeTables);
    if (this.#open === undefined) {
      this.#open = open;
      open.catch(() => {
        if (this.#open === open) this.#open = undefined;
      });
    }
    const { clock } = this;
    if (clock instanceof ServerClock && clock.isOld) await this.#settle(clock, await open);
    return open;
  }

  /** Postgres checks its own pages where it was set up to; rows of workflows have checksums. */
  async checkIntegrity(): Promise<void> {}

  /** A server loses nothing that it has acknowledged: there is nothing to note beside it. */
  committed(): void {}

  released(): void {}

  async changeToken(): Promise<number> {
    const { news } = await this.use();
    return news.token();
  }

  async ownWrites(): Promise<number> {
    return this.#ownWrites;
  }

  onNews(listener: () => void): () => void {
    let stop: (() => void) | undefined;
    let isOver = false;
    this.use().then(
      ({ news }) => {
        if (!isOver) stop = news.add(listener);
      },
      // Who reads finds out what is wrong with the database.
      () => {},
    );
    return () => {
      isOver = true;
      stop?.();
    };
  }

  /** Idempotent. A connection that was closed stays closed. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const open = await this.#open?.catch(() => undefined);
    if (open === undefined) return;
    // Connections at rest keep no process alive, which would end before they are closed.
    const awake = setInterval(() => {}, AWAKE_MS);
    try {
      await open.news.close();
      await open.driver.close();
    } finally {
      clearInterval(awake);
    }
  }

  #settle(clock: ServerClock, { port }: OpenDatabase): Promise<void> {
    return clock.settle(async () => (await port.query(SERVER_NOW, [])).rows[0]?.[0] as number);
  }

  async #connect(makeTables: () => Work<void>): Promise<OpenDatabase> {
    const { path, waitMs, mayCreate, readOnly } = this.#server;
    const driver = await this.#server.open();
    let news: News | undefined;
    const onWritten = (durability: Durability) => {
      this.#ownWrites += 1;
      // Signs of life are no news.
      if (durability === "full") news?.announce();
    };
    try {
      const port = new PostgresPort(driver, { path, waitMs, readOnly }, onWritten);
      const preparation = { path, mayCreate, readOnly, nowMs: Date.now(), makeTables };
      news = new News(driver, await prepareDatabase(port, preparation));
      return { driver, port, news };
    } catch (error) {
      await driver.close();
      throw error;
    }
  }
}

function* noTables(): Work<void> {}
