import { isRetryableCode, type ServiceErrorCode } from "./codes.js";
import { ServiceError } from "./service-error.js";

/**
 * The one place where an unknown thrown value becomes an Error. It gets no code:
 * a value that is no Error comes from code outside of the library.
 */
export function ensureError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(`A value that is not an Error was thrown: ${describe(thrown)}.`);
}

/**
 * An error as rows, events and HTTP bodies carry it. No stack: a stack holds
 * paths of the host. `cause` follows the chain to a depth of 5.
 */
// A type alias, not an interface: event payloads need its implicit index signature.
export type SerializedError = {
  name: string;
  /** Absent for foreign errors without a string code. */
  code?: ServiceErrorCode;
  message: string;
  summary?: string;
  docsUrl?: string;
  details?: Record<string, unknown>;
  retryable?: boolean;
  cause?: SerializedError;
};

const LONGEST_CHAIN = 5;

export function serializeError(thrown: unknown, depth = 0): SerializedError {
  const error = ensureError(thrown);
  const serialized: SerializedError = { name: error.name, message: error.message };
  const { code, retryable } = error as { code?: unknown; retryable?: unknown };
  if (typeof code === "string") serialized.code = code;
  if (typeof retryable === "boolean") serialized.retryable = retryable;
  if (ServiceError.is(error)) {
    serialized.summary = error.summary;
    serialized.docsUrl = error.docsUrl;
    if (error.details !== undefined) serialized.details = jsonSafe(error.details);
  }
  if (error.cause !== undefined && depth < LONGEST_CHAIN) {
    serialized.cause = serializeError(error.cause, depth + 1);
  }
  return serialized;
}

/** The Error of a serialized one; a coded one becomes a ServiceError again. */
export function deserializeError(serialized: SerializedError): Error {
  const cause = serialized.cause === undefined ? undefined : deserializeError(serialized.cause);
  if (serialized.code !== undefined && serialized.name === "ServiceError") {
    return new ServiceError(serialized.code, serialized.summary ?? serialized.message, {
      ...(serialized.details !== undefined && { details: serialized.details }),
      ...(serialized.retryable !== undefined && { retryable: serialized.retryable }),
      ...(cause !== undefined && { cause }),
    });
  }
  const error = new Error(serialized.message, cause === undefined ? undefined : { cause });
  error.name = serialized.name;
  return Object.assign(error, {
    ...(serialized.code !== undefined && { code: serialized.code }),
    ...(serialized.retryable !== undefined && { retryable: serialized.retryable }),
  });
}

/** Whether a task that failed with this error may be tried again. */
export function isRetryable(error: SerializedError): boolean {
  if (error.retryable !== undefined) return error.retryable;
  return error.code === undefined || isRetryableCode(error.code);
}

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 200));
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 200);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

function jsonSafe(details: Record<string, unknown>): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(details)) as Record<string, unknown>;
  } catch {
    return { unserializable: describe(details) };
  }
}
