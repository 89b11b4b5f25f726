import { ServiceError } from "../../errors/service-error.js";
import type { SqlActivity } from "../sql-port.js";

/** The failed activity. */
interface FailedRequest {
  activity: SqlActivity;
  /** Database as messages name it. */
  path: string;
  /** The state of its transaction. @default "not-written" */
  outcome?: "not-written" | "unknown";
}

interface Problem {
  code?: "DB_BUSY" | "DB_CONNECTION_LOST" | "STORAGE_ERROR";
  reason: string;
  retryable?: boolean;
}

/** Of prepared statements, which belong to a session. */
const POOLED: Problem = {
  code: "STORAGE_ERROR",
  reason:
    "a pooler such as PgBouncer in transaction or statement mode is in between; connect to the server itself, or to a pool in session mode",
  retryable: false,
};

/** By SQLSTATE. */
const PROBLEMS: Readonly<Record<string, Problem>> = {
  "40001": { code: "DB_BUSY", reason: "other transactions kept changing the same rows" },
  "40P01": { code: "DB_BUSY", reason: "it was chosen to end a deadlock with other transactions" },
  "55P03": { code: "DB_BUSY", reason: "another transaction kept its rows locked; find who keeps one open" },
  "57014": {
    reason:
      "the server's statement_timeout ended it, or an administrator did; raise the timeout for this role",
  },
  "53100": { reason: "the server's disk is full; free some space" },
  "53200": { reason: "the server is out of memory" },
  "53300": {
    code: "DB_BUSY",
    reason: "the server takes no more connections; lower poolSize, or raise max_connections",
  },
  "25006": {
    code: "DB_CONNECTION_LOST",
    reason:
      "the server takes no writes: it is a standby, or in recovery, or set to read only; connect to the primary",
  },
  "25P03": {
    code: "DB_CONNECTION_LOST",
    reason: "the server's idle_in_transaction_session_timeout ended it",
  },
  "25P04": { code: "DB_CONNECTION_LOST", reason: "the server's transaction_timeout ended it" },
  "57P03": { code: "DB_CONNECTION_LOST", reason: "the server is starting, shutting down or in recovery" },
  "57P01": {
    code: "DB_CONNECTION_LOST",
    reason: "the server was shut down, or an administrator ended the connection",
  },
  "57P05": { code: "DB_CONNECTION_LOST", reason: "the server's idle_session_timeout ended the connection" },
  "57P02": { code: "DB_CONNECTION_LOST", reason: "another process of the server has crashed" },
  "28P01": { code: "STORAGE_ERROR", reason: "the password is not right for this user", retryable: false },
  "28000": { code: "STORAGE_ERROR", reason: "the server refuses this user", retryable: false },
  "3D000": { code: "STORAGE_ERROR", reason: "there is no such database; create it first", retryable: false },
  "3F000": { code: "STORAGE_ERROR", reason: "no schema of the search_path exists", retryable: false },
  "42501": { code: "STORAGE_ERROR", reason: "the user lacks a permission", retryable: false },
  "26000": POOLED,
  "42P05": POOLED,
  "42P01": { code: "STORAGE_ERROR", reason: "a table was removed", retryable: false },
};

/** Of connections, as Node and the driver tell it. */
const LOST =
  /ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ETIMEDOUT|ENETUNREACH|terminated|not queryable|timeout expired/;
/** The driver's words for a pool that has no connection left. */
const NO_PLACE = /timeout exceeded when trying to connect/;

/** A transaction that the server has undone, and that may succeed when it is tried again. */
export function isUndone(error: unknown): boolean {
  return ["40001", "40P01", "55P03"].includes(stateOf(error));
}

/** The connection is gone, or there was none. */
export function isLost(error: unknown): boolean {
  return problemOf(error)?.code === "DB_CONNECTION_LOST";
}

/** The server has gone down with it: a transaction that was about to be committed may be there afterwards. */
export function isCrash(error: unknown): boolean {
  return error instanceof Error && "severity" in error && error.severity === "PANIC";
}

/** A transaction that may only read has written: on a standby, or by choice. */
export function takesNoWrites(error: unknown): boolean {
  return stateOf(error) === "25006";
}

/** No connection is to be had at the moment. */
export function isCrowded(error: unknown): boolean {
  return stateOf(error) === "53300";
}

/** A statement has touched another number of rows than it is bound to. */
export function isMiss(error: unknown): boolean {
  return stateOf(error) === "22012";
}

/** The driver's error as a ServiceError that says what to do; others pass through. */
export function serverError(
  error: unknown,
  { activity, path, outcome = "not-written" }: FailedRequest,
): unknown {
  if (!(error instanceof Error) || error instanceof ServiceError) return error;
  const problem = problemOf(error);
  if (problem === undefined && stateOf(error) === "") return error;
  const verb = { read: "read", write: "write to", open: "open" }[activity];
  const fallback = { read: "DB_QUERY_FAILED", write: "DB_WRITE_FAILED", open: "STORAGE_ERROR" }[activity];
  const reason = problem?.reason ?? error.message;
  const note = outcome === "unknown" ? " Whether the transaction was committed is not known." : "";
  return new ServiceError(
    problem?.code ?? fallback,
    `Cannot ${verb} the database ${path}: ${reason}.${note}`,
    {
      cause: error,
      details: { path, outcome, ...(stateOf(error) !== "" && { sqlState: stateOf(error) }) },
      ...(problem?.retryable !== undefined && { retryable: problem.retryable }),
    },
  );
}

function problemOf(error: unknown): Problem | undefined {
  const state = stateOf(error);
  const known = PROBLEMS[state];
  if (known !== undefined) return known;
  if (!(error instanceof Error) || error instanceof ServiceError) return undefined;
  if (state.startsWith("08")) return connectionProblem(error);
  // The server's own words may name anything.
  if (state !== "") return undefined;
  const { code } = error as { code?: unknown };
  const text = `${typeof code === "string" ? code : ""} ${error.message}`;
  if (NO_PLACE.test(text)) {
    return { code: "DB_BUSY", reason: "all connections of the pool stayed in use; raise poolSize" };
  }
  if (!LOST.test(text)) return undefined;
  return { code: "DB_CONNECTION_LOST", reason: `the server cannot be reached (${text.trim()})` };
}

/** Poolers give all that they have to say the state of a broken protocol. */
function connectionProblem({ message }: Error): Problem {
  if (/statement pooling/.test(message)) return POOLED;
  if (/unsupported startup parameter/.test(message)) {
    const reason = `the pooler in between refuses a setting of the connection (${message}); let PgBouncer's ignore_startup_parameters drop it and set it for the role or the database instead, or connect to the server itself`;
    return { code: "STORAGE_ERROR", reason, retryable: false };
  }
  return { code: "DB_CONNECTION_LOST", reason: `the connection was lost (${message})` };
}

/** Five characters; an empty text for an error that no server has sent. */
function stateOf(error: unknown): string {
  if (!(error instanceof Error) || error instanceof ServiceError || !("code" in error)) return "";
  return typeof error.code === "string" && /^[0-9PXFH][0-9A-Z]{4}$/.test(error.code) ? error.code : "";
}
