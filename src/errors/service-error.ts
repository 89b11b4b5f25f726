import { errorCodeEntry, type ServiceErrorCode } from "./codes.js";
import { docsUrlOf } from "./docs-url.js";

/** The parts of an error beside its code and summary. */
export interface ServiceErrorOptions {
  /** Facts for machines: ids, limits, paths inside the workspace. Never secrets. */
  details?: Record<string, unknown>;
  /** The cause, of any kind. */
  cause?: unknown;
  /** Overrides the code table's answer for this one error. */
  retryable?: boolean;
}

/**
 * The only error class of the library. `message` is the summary followed by the
 * code table's next step, so that a log line teaches by itself.
 */
export class ServiceError extends Error {
  /** The same for all of them: `code` tells them apart. */
  override readonly name = "ServiceError";
  /** The error's code, for programs; see docs/errors.md. */
  readonly code: ServiceErrorCode;
  /** One sentence: what happened, where. */
  readonly summary: string;
  /** Where the code is explained: a file URL into the installed package. */
  readonly docsUrl: string;
  /** Facts for machines; absent without any. */
  declare readonly details?: Record<string, unknown>;
  /** Set only where this error overrides the code table. */
  declare readonly retryable?: boolean;

  constructor(code: ServiceErrorCode, summary: string, options: ServiceErrorOptions = {}) {
    const next = errorCodeEntry(code)?.next;
    super(
      next === undefined ? summary : `${summary} ${next}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.summary = summary;
    this.docsUrl = docsUrlOf(code);
    if (options.details !== undefined) this.details = options.details;
    if (options.retryable !== undefined) this.retryable = options.retryable;
  }

  /** Recognises a ServiceError of any copy of the library, by name and code. */
  static is(value: unknown, code?: ServiceErrorCode): value is ServiceError {
    if (!(value instanceof Error) || value.name !== "ServiceError") return false;
    const actual = (value as { code?: unknown }).code;
    return typeof actual === "string" && (code === undefined || actual === code);
  }
}
