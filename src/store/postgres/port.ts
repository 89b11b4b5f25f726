import { setTimeout as pause } from "node:timers/promises";
import { ServiceError } from "../../errors/service-error.js";
import { serviceMetrics } from "../../metrics/catalog.js";
import { monotonicMs } from "../../util/monotonic-ms.js";
import { runLater } from "../logic/answer.js";
import { missed } from "../logic/statements.js";
import type {
  Durability,
  Query,
  SqlActivity,
  SqlPort,
  SqlRow,
  SqlValue,
  Statement,
  Work,
} from "../sql-port.js";
import type { Driver, SentStatement, Session, StatementAnswer } from "./driver.js";
import { isCrash, isCrowded, isLost, isMiss, isUndone, serverError, takesNoWrites } from "./errors.js";
import { rowsTogether } from "./rows-together.js";
import { OpenTransaction, rowsOf } from "./open-transaction.js";
import { asSent, toGuarded, toSent } from "./statement-text.js";

const { dbLockWaitMs, dbQueryMs, dbRetries, dbTransactionMs, dbTransactionRetries, dbTransactionRollbacks } =
  serviceMetrics;

/** Pauses between two attempts, milliseconds: each twice as long as the one before. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 500;

const BEGIN = toSent("BEGIN", []);
const BEGIN_READING = toSent("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", []);
const BEGIN_SERIAL = toSent("BEGIN ISOLATION LEVEL REPEATABLE READ", []);
/**
 * Transactions that read what they write by go one after the other. A lock before the first query leaves
 * the moment that they see to that query.
 */
const LOCK = toSent("LOCK TABLE _service_migrations IN SHARE ROW EXCLUSIVE MODE", []);
const RELAX = toSent("SET LOCAL synchronous_commit TO off", []);
/** As `RELAX`, where no statement has begun the transaction. */
const RELAX_ALL = toSent("SELECT set_config('synchronous_commit', 'off', true)", []);
const COMMIT = toSent("COMMIT", []);
const ROLLBACK = toSent("ROLLBACK", []);

export interface PortOptions {
  /** Database as messages name it. */
  path: string;
  /** How long to continue trying, milliseconds, for what others lock or for a server that is away. */
  waitMs: number;
  /** Whether it was opened for reading alone. */
  readOnly: boolean;
}

/** Whether a text of the store's asks for rows and changes nothing. */
function isReading(sql: string): boolean {
  return sql.startsWith("SELECT") || sql.startsWith("WITH");
}

/** Connections of Postgres, or PGlite, behind the port. */
export class PostgresPort implements SqlPort {
  readonly #driver: Driver;
  readonly #options: PortOptions;
  readonly #onWritten: (durability: Durability) => void;

  /** @param onWritten called after each commit */
  constructor(driver: Driver, options: PortOptions, onWritten: (durability: Durability) => void) {
    this.#driver = driver;
    this.#options = options;
    this.#onWritten = onWritten;
  }

  async all(sql: string, params: readonly SqlValue[]): Promise<SqlRow[]> {
    const statement = toSent(sql, params);
    if (isReading(sql)) {
      const [rows] = await this.#reading([statement]);
      return rows as SqlRow[];
    }
    const rows = await this.#writing((session) => this.#sendAlone(session, statement));
    this.#onWritten("full");
    return rows;
  }

  async snapshot(queries: readonly Pick<Query<unknown>, "sql" | "params">[]): Promise<SqlRow[][]> {
    const sent = queries.map(({ sql, params }) => toSent(sql, params));
    const answers = await this.#reading([BEGIN_READING, ...sent, COMMIT]);
    return answers.slice(1, -1);
  }

  /** In one round trip: the server itself looks whether each statement touches what it is bound to. */
  async write(statements: readonly Statement[], durability: Durability = "full"): Promise<void> {
    const head = durability === "relaxed" ? [RELAX_ALL] : [];
    const merged = rowsTogether(statements);
    const sent = [...head, ...merged.map(toGuarded)];
    await this.#writing(async (session) => {
      const { done, error } = await session.transact(sent);
      if (error === undefined) return;
      // Only the answer to the commit would have said what became of the transaction.
      if (isOver(error) && (done === sent.length || !isOfServer(error))) throw new Unknown(error);
      const statement = merged[done - head.length];
      if (statement === undefined || !isMiss(error)) throw error;
      throw await runLater(new OpenTransaction(session), missed(statement));
    });
    this.#onWritten(durability);
  }

  async transaction<T>(body: () => Work<T>, durability: Durability = "full"): Promise<T> {
    const head = durability === "relaxed" ? [BEGIN_SERIAL, RELAX, LOCK] : [BEGIN_SERIAL, LOCK];
    return this.#transaction(head, body, durability);
  }

  /** A server keeps what is deleted until its next VACUUM, and longer in its log: nothing else can be seen to from here. */
  erase<T>(body: () => Work<T>): Promise<T> {
    return this.transaction(body);
  }

  /** As `transaction`, for reads alone, which see one moment and keep no writer waiting. */
  reading<T>(body: () => Work<T>): Promise<T> {
    return this.#transaction([BEGIN_READING], body, "relaxed");
  }

  /** As `transaction`, before there are tables. */
  async migration<T>(lock: SentStatement, body: () => Work<T>): Promise<T> {
    return this.#transaction([BEGIN, lock], body, "full");
  }

  /** Work of another package's at the same server, as patient as the port's own. Done twice it is done once. */
  byOthers<T>(body: () => Promise<T>): Promise<T> {
    return this.#patiently("write", body);
  }

  /** A statement of the caller's own, in the words of Postgres, with the names of its columns. Sent once. */
  async query(text: string, params: readonly SqlValue[]): Promise<StatementAnswer> {
    const { answers, error } = await this.#driver.withSession((session) =>
      session.send([asSent(text, params)]),
    );
    if (error !== undefined) throw serverError(error, { activity: "read", path: this.#options.path });
    return answers[0] as StatementAnswer;
  }

  run(): Promise<number> {
    throw new ServiceError(
      "INTERNAL_ERROR",
      "A statement that counts its rows stands outside of a transaction.",
    );
  }

  async #transaction<T>(
    head: readonly SentStatement[],
    body: () => Work<T>,
    durability: Durability,
  ): Promise<T> {
    const result = await this.#writing(async (session) => {
      const begun = await session.send(head);
      try {
        if (begun.error !== undefined) throw begun.error;
        const value = await runLater(new OpenTransaction(session), body());
        const { error } = await session.send([COMMIT]);
        if (error !== undefined) throw isOver(error) ? new Unknown(error) : error;
        return value;
      } catch (error) {
        if (!(error instanceof Unknown)) await undo(session, error);
        throw error;
      }
    });
    this.#onWritten(durability);
    return result;
  }

  async #sendAlone(session: Session, statement: SentStatement): Promise<SqlRow[]> {
    const { answers, error } = await session.send([statement]);
    if (error !== undefined) throw isOver(error) ? new Unknown(error) : error;
    return rowsOf(answers[0] as StatementAnswer);
  }

  async #reading(statements: readonly SentStatement[]): Promise<SqlRow[][]> {
    const startedAt = monotonicMs();
    const answers = await this.#again("read", async (session) => {
      const found = await session.send(statements);
      if (found.error === undefined) return found.answers;
      if (statements.length > 1) await undo(session, found.error);
      throw found.error;
    });
    dbQueryMs.observe(monotonicMs() - startedAt);
    return answers.map(rowsOf);
  }

  async #writing<T>(body: (session: Session) => Promise<T>): Promise<T> {
    const startedAt = monotonicMs();
    const result = await this.#again("write", body);
    dbTransactionMs.observe(monotonicMs() - startedAt);
    return result;
  }

  #again<T>(activity: SqlActivity, body: (session: Session) => Promise<T>): Promise<T> {
    return this.#patiently(activity, () => this.#driver.withSession(body));
  }

  /** Again while others are in the way or the server is away, as long as nothing can have been committed. */
  async #patiently<T>(activity: SqlActivity, body: () => Promise<T>): Promise<T> {
    const { path, waitMs, readOnly } = this.#options;
    const startedAt = monotonicMs();
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        const result = await body();
        if (pauseMs > FIRST_PAUSE_MS) dbLockWaitMs.observe(monotonicMs() - startedAt);
        return result;
      } catch (thrown) {
        if (activity === "write") dbTransactionRollbacks.add();
        const outcome = thrown instanceof Unknown ? "unknown" : "not-written";
        const error = thrown instanceof Unknown ? thrown.cause : thrown;
        if (readOnly && takesNoWrites(error)) throw openedForReading(path, error);
        const mayRepeat = outcome === "not-written" && (isUndone(error) || isLost(error) || isCrowded(error));
        if (!mayRepeat || monotonicMs() - startedAt + pauseMs >= waitMs) {
          throw serverError(error, { activity, path, outcome });
        }
        dbRetries.add();
        if (activity === "write") dbTransactionRetries.add();
        await pause(pauseMs);
      }
    }
  }
}

/** A transaction was lost in a way that leaves open whether it was committed. */
class Unknown extends Error {
  constructor(cause: unknown) {
    super("the connection was lost in the middle of a commit", { cause });
  }
}

function openedForReading(path: string, cause: unknown): ServiceError {
  const message = `Cannot write to the database ${path}: it was opened read-only.`;
  return new ServiceError("DB_WRITE_FAILED", message, { cause, retryable: false, details: { path } });
}

/** The connection has ended with it, and with the connection its transaction. */
function isOver(error: unknown): boolean {
  return isLost(error) || isCrash(error);
}

/** A lost transaction needs no end; the first error is the one to report. */
async function undo(session: Session, error: unknown): Promise<void> {
  if (!isOver(error)) await session.send([ROLLBACK]);
}

/** The server has said why; a connection that was cut says nothing of a COMMIT that was sent along. */
function isOfServer(error: unknown): boolean {
  return error instanceof Error && "severity" in error;
}
