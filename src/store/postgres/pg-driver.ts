import { createRequire } from "node:module";
import type { ClientBase, ClientConfig, Pool, PoolClient, Query, QueryArrayResult } from "pg";
import type { SqlRow } from "../sql-port.js";
import { AnswerWatch } from "./answer-watch.js";
import { beginSession } from "./begin-session.js";
import type {
  ChannelListener,
  Driver,
  SentAnswers,
  SentStatement,
  Session,
  StatementAnswer,
  TransactionEnd,
} from "./driver.js";
import { isLost } from "./errors.js";
import { loadDriver } from "./load-driver.js";
import { PgListener } from "./pg-listener.js";
import { sendTransaction } from "./pg-transaction.js";
import type { ResolvedPostgresOptions } from "./options.js";
import { reader } from "./values.js";

const require = createRequire(import.meta.url);

/** How long to wait for a connection, or for a place in the pool, milliseconds. */
const CONNECT_MS = 10_000;
/** A connection on which nothing is said for this long is probed, once a second and ten times, before it counts as lost; milliseconds. */
const PROBE_AFTER_MS = 10_000;
/** Statements that a connection keeps prepared; others are sent anew each time. */
const MOST_PREPARED = 500;

/** The package `pg`: a pool of connections, and one that listens. */
export class PgDriver implements Driver {
  readonly #pool: Pool;
  readonly #listener: PgListener;
  readonly #watch: AnswerWatch;
  readonly #names = new Map<string, string>();
  readonly #newQuery: () => Query;

  /** @throws DB_DRIVER_MISSING */
  constructor({ client, poolSize, readOnly, waitMs, answerMs }: ResolvedPostgresOptions) {
    const pg = loadDriver("pg", () => require("pg") as typeof import("pg"));
    const config: ClientConfig & { pipeline: boolean } = {
      application_name: "treadle",
      keepAlive: true,
      keepAliveInitialDelayMillis: PROBE_AFTER_MS,
      connectionTimeoutMillis: CONNECT_MS,
      ...client,
      types: { getTypeParser: reader } as NonNullable<ClientConfig["types"]>,
      // Statements of a transaction go out together.
      pipeline: true,
    };
    this.#newQuery = () => new pg.Query("");
    const connect = () => new pg.Client(config);
    this.#watch = new AnswerWatch(answerMs, () => new pg.Client({ ...config, query_timeout: CONNECT_MS }));
    const onConnect = async (connected: ClientBase) =>
      this.#watch.know(connected, await beginSession(connected, { waitMs, readOnly, connect }));
    this.#pool = new pg.Pool({ ...config, max: poolSize, allowExitOnIdle: true, onConnect });
    // One that is lost while it rests is replaced with the next use.
    this.#pool.on("error", () => {});
    // One that is lost while it is in use fails its statements; as an event besides, the loss would end the process.
    this.#pool.on("connect", (client) => client.on("error", () => {}));
    this.#listener = new PgListener(connect);
  }

  async withSession<T>(body: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    const session = new PgSession(client, {
      names: this.#names,
      newQuery: this.#newQuery,
      watch: this.#watch,
    });
    try {
      return await body(session);
    } finally {
      client.release(session.isLost);
    }
  }

  listen(channel: string, listener: ChannelListener): Promise<() => void> {
    return this.#listener.listen(channel, listener);
  }

  async close(): Promise<void> {
    await Promise.all([this.#listener.close(), this.#pool.end()]);
  }
}

interface SessionParts {
  readonly names: Map<string, string>;
  readonly newQuery: () => Query;
  readonly watch: AnswerWatch;
}

class PgSession implements Session {
  readonly #client: PoolClient;
  readonly #names: Map<string, string>;
  readonly #newQuery: () => Query;
  readonly #watch: AnswerWatch;
  isLost = false;

  constructor(client: PoolClient, { names, newQuery, watch }: SessionParts) {
    this.#client = client;
    this.#names = names;
    this.#newQuery = newQuery;
    this.#watch = watch;
  }

  async transact(statements: readonly SentStatement[]): Promise<TransactionEnd> {
    const named = statements.map(({ text, values }) => ({ name: this.#nameOf(text), text, values }));
    const answered = this.#watch.begin(this.#client);
    const end = await sendTransaction(this.#client, this.#newQuery(), named).finally(answered);
    if (isLost(end.error)) this.isLost = true;
    return end;
  }

  async send(statements: readonly SentStatement[]): Promise<SentAnswers> {
    const answered = this.#watch.begin(this.#client);
    const pending = statements.map((statement) => this.#query(statement));
    const answers: StatementAnswer[] = [];
    let failure: { error: unknown } | undefined;
    for (const each of pending) {
      try {
        const { rows, rowCount, fields } = await each;
        if (failure !== undefined) continue;
        const columns = fields.map(({ name }) => name);
        answers.push({ rows: rows as SqlRow[], columns, changes: rowCount ?? 0 });
      } catch (error) {
        failure ??= { error };
        if (isLost(error)) this.isLost = true;
      }
    }
    answered();
    return { answers, ...failure };
  }

  #query({ text, values }: SentStatement): Promise<QueryArrayResult> {
    const name = this.#nameOf(text);
    const query = this.#client.query({
      text,
      values: [...values],
      rowMode: "array",
      ...(name !== undefined && { name }),
    });
    // Each is waited for in its turn; until then no error is unhandled.
    query.catch(() => {});
    return query;
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= MOST_PREPARED || !IS_REPEATED.test(text)) return known;
    const name = `treadle_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}

/** Statements that define tables run once. */
const IS_REPEATED = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/;
