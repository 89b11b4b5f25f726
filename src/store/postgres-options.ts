/** How a Postgres server is reached. */
export interface PostgresConnectionOptions {
  /** `postgres://user:password@host:5432/database`; its parameters are those of the package `pg`. @default the variable `SERVICE_DATABASE_URL` */
  connectionString?: string;
  /** The same in parts, with those of TLS. */
  connection?: {
    host?: string;
    port?: number;
    user?: string;
    password?: string | (() => string | Promise<string>);
    database?: string;
    /** `true`, or what `tls.connect` of Node takes. */
    ssl?:
      | boolean
      | { ca?: string; cert?: string; key?: string; rejectUnauthorized?: boolean; servername?: string };
    /** Settings of the session, such as `-c search_path=workspace`. */
    options?: string;
  };
  /** Connections at most, besides the one that listens. One is in use for the time of a transaction. @default 10 */
  poolSize?: number;
  /** How long to continue trying, milliseconds, while rows are locked or the server is away. @default 30000 */
  waitMs?: number;
  /**
   * How long a statement may be without an answer, milliseconds, before the server is asked by another connection
   * whether it still works on it. Where it does not, or cannot be asked within 10 s, the connection counts as lost. @default 15000
   */
  answerMs?: number;
}
