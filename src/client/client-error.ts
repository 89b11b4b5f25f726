/** An error as a gateway sends it. */
export interface ReceivedError {
  /** A code of docs/errors.md. */
  code: string;
  /** The problem, and the next step. */
  message: string;
  /** Facts about it, by names that depend on the code. */
  details?: Record<string, unknown>;
  /** The scope that the caller lacks. */
  requiredScope?: string;
}

/**
 * The error that every call of a client rejects with. `code` is the gateway's own, as docs/errors.md lists
 * them, or says what came between: CLIENT_CONNECTION_FAILED, CLIENT_TIMEOUT and the like.
 */
export class ClientError extends Error {
  /** The same for all of them: `code` tells them apart. */
  override readonly name = "ClientError";
  /** The error's code, for programs. */
  readonly code: string;
  /** Facts for machines; absent without any. */
  declare readonly details?: Record<string, unknown>;
  /** The scope that the caller lacks, of FORBIDDEN. */
  declare readonly requiredScope?: string;

  constructor({ code, message, details, requiredScope }: ReceivedError, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    if (details !== undefined) this.details = details;
    const scope = requiredScope ?? details?.requiredScope;
    if (typeof scope === "string") this.requiredScope = scope;
  }

  /** Recognises the errors of any copy of the client, by name and code. */
  static is(value: unknown, code?: string): value is ClientError {
    if (!(value instanceof Error) || value.name !== "ClientError") return false;
    return code === undefined || (value as { code?: unknown }).code === code;
  }
}

/** The error within an answer; undefined when there is none that can be read. */
export function receivedError(value: unknown): ReceivedError | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { code, message } = value as Partial<ReceivedError>;
  return typeof code === "string" && typeof message === "string" ? (value as ReceivedError) : undefined;
}

/** Stands for an error that is none. */
export const UNREADABLE: ReceivedError = {
  code: "PROTOCOL_MISMATCH",
  message: "The gateway sent an error that cannot be read.",
};
