import type { ClientConfig } from "pg";
import { ServiceError } from "../../errors/service-error.js";
import type { PostgresConnectionOptions } from "../postgres-options.js";

/** Options as the connection works with them. */
export interface ResolvedPostgresOptions {
  /** How messages name the database: without its password. */
  path: string;
  client: ClientConfig;
  poolSize: number;
  waitMs: number;
  answerMs: number;
  /** Whether engine tables may be made. */
  mayCreate: boolean;
  readOnly: boolean;
}

export interface PostgresOptions extends PostgresConnectionOptions {
  /** `never`: a database without engine tables is an error. @default "if-missing" */
  create?: "if-missing" | "never";
  /** Refuse writes, and leave the database as it is. @default false */
  readOnly?: boolean;
}

/** @throws INVALID_INPUT for a connection string that is none */
export function resolvePostgresOptions(options: PostgresOptions): ResolvedPostgresOptions {
  const { connectionString, connection, poolSize = 10, waitMs = 30_000, create, readOnly = false } = options;
  const { answerMs = 15_000 } = options;
  const client: ClientConfig = { ...connection, ...(connectionString !== undefined && { connectionString }) };
  return {
    path: connectionString === undefined ? pathOf(connection ?? {}) : pathOfUrl(connectionString),
    client,
    poolSize,
    waitMs,
    answerMs,
    mayCreate: create !== "never" && !readOnly,
    readOnly,
  };
}

/** Whether a database is named by its server. */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text);
}

/** Of libpq: several servers, or one of them by what it is. */
const SEVERAL = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?[^/?#@]*,|[?&]target_session_attrs=/i;

function pathOfUrl(text: string): string {
  if (SEVERAL.test(text)) {
    throw new ServiceError(
      "INVALID_INPUT",
      "The connection string of a database names several servers, or asks for one of them by target_session_attrs: the driver does neither. Name one address that leads to the primary, such as a proxy's or one that moves with it.",
    );
  }
  if (!isPostgresUrl(text) || !URL.canParse(text)) {
    throw new ServiceError(
      "INVALID_INPUT",
      "The connection string of a database begins with postgres:// and names a server, such as postgres://user@host:5432/database. The given text is none.",
    );
  }
  const { hostname, port, pathname, username, searchParams } = new URL(text);
  const user = username === "" ? "" : `${username}@`;
  const options = searchParams.get("options");
  const more = options === null ? "" : `?options=${encodeURIComponent(options)}`;
  return `postgres://${user}${hostname || "localhost"}:${port || "5432"}${pathname}${more}`;
}

function pathOf(connection: NonNullable<PostgresConnectionOptions["connection"]>): string {
  const { host = "localhost", port = 5432, user, database = user ?? "", options } = connection;
  const more = options === undefined ? "" : `?options=${encodeURIComponent(options)}`;
  return `postgres://${user === undefined ? "" : `${user}@`}${host}:${port}/${database}${more}`;
}
