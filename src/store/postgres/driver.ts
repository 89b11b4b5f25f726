import type { SqlRow } from "../sql-port.js";

/** A statement as the server is sent it: `$1` for parameters, texts in their stored form. */
export interface SentStatement {
  readonly text: string;
  readonly values: readonly (string | number | null)[];
}

export interface StatementAnswer {
  /** Names of the values of each row. */
  readonly columns: readonly string[];
  readonly rows: SqlRow[];
  /** Rows touched, or selected. */
  readonly changes: number;
}

/** Answers in the order of the statements, up to the first that has failed. */
export interface SentAnswers {
  readonly answers: readonly StatementAnswer[];
  /** Why there are no more; undefined where all were answered. */
  readonly error?: unknown;
}

/** What became of a transaction that was sent as a whole. */
export interface TransactionEnd {
  /** Statements that were executed: all of them, where what failed is the commit. */
  readonly done: number;
  /** Why nothing was written; undefined where it was committed. */
  readonly error?: unknown;
}

/** One connection. */
export interface Session {
  /** All statements at once, where the driver can, without waiting for the answer of each. */
  send(statements: readonly SentStatement[]): Promise<SentAnswers>;
  /** One transaction of all statements, in one round trip. One that has failed is over. */
  transact(statements: readonly SentStatement[]): Promise<TransactionEnd>;
}

/** Hears what is announced on a channel. */
export interface ChannelListener {
  onNews(payload: string): void;
  /** Announcements may have been missed. */
  onGap(): void;
}

/** The driver of a server: connections, and the channel on which writers announce what they have written. */
export interface Driver {
  /** One connection for the time of `body`, which is closed if it was lost. @throws what the driver throws */
  withSession<T>(body: (session: Session) => Promise<T>): Promise<T>;
  /** Until the driver is closed. Connects again by itself. */
  listen(channel: string, listener: ChannelListener): Promise<() => void>;
  close(): Promise<void>;
}
