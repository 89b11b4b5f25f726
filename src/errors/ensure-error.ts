import { docsPathOf } from "./docs-url.js";
import { isRetryableCode, type ServiceErrorCode } from "./codes.js";
import { ServiceError } from "./service-error.js";
import { framesText, type UserFrame, userFrames } from "./user-frames.js";

/** Bytes of UTF-8 that a message may have; the rest of a longer one says nothing new. */
const LONGEST_MESSAGE = 64 * 1024;
/** Characters of JSON that the details of an error may have. */
const LARGEST_DETAILS = 256 * 1024;
/** Levels of objects and lists in them: less than a row may have. */
const DEEPEST_DETAILS = 200;

/**
 * The one place where an unknown thrown value becomes an Error that can be read:
 * one with a name and a message of bounded length, whose members do not throw. An
 * error that is not like that, or comes from another realm, is copied. A value
 * that is no error gets no code: it comes from code outside of the library.
 */
export function ensureError(thrown: unknown): Error {
  if (isReadable(thrown)) return thrown;
  if (isErrorLike(thrown)) return readableCopy(thrown);
  const error = new Error(`A value that is not an Error was thrown: ${describe(thrown)}.`);
  // Where it was caught says nothing about where it was thrown.
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

const TEXTS = ["name", "message"] as const;
/** Members that readers look at besides the texts. */
const FACTS = ["code", "retryable", "summary", "docsUrl", "details", "cause", "errors", "stack"] as const;

function isReadable(thrown: unknown): thrown is Error {
  try {
    if (!(thrown instanceof Error)) return false;
    for (const key of FACTS) void (thrown as unknown as Record<string, unknown>)[key];
    return (
      TEXTS.every((key) => typeof thrown[key] === "string") && bounded(thrown.message) === thrown.message
    );
  } catch {
    return false;
  }
}

/** `instanceof` knows the errors of this realm only. */
function isErrorLike(thrown: unknown): thrown is object {
  try {
    return thrown instanceof Error || tagOf(thrown) === "[object Error]";
  } catch {
    return false;
  }
}

function readableCopy(thrown: object): Error {
  const message = read(thrown, "message");
  const copy = new Error(bounded(typeof message === "string" ? message : describe(message)));
  const name = read(thrown, "name");
  copy.name = typeof name === "string" ? name.slice(0, 200) : "Error";
  for (const key of FACTS) {
    const value = read(thrown, key);
    // Both repeat the message.
    const repeats = key === "stack" || key === "summary";
    const kept = repeats && typeof value === "string" ? bounded(value) : value;
    if (kept !== undefined)
      Object.defineProperty(copy, key, { value: kept, configurable: true, writable: true });
  }
  return copy;
}

/** A member of an object that may refuse to be read. */
function read(from: object, key: string): unknown {
  try {
    return (from as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

function bounded(text: string): string {
  // A UTF-16 unit is at most 3 bytes of UTF-8: most texts need no exact count.
  if (text.length * 3 <= LONGEST_MESSAGE) return text;
  const { read: kept } = new TextEncoder().encodeInto(text, new Uint8Array(LONGEST_MESSAGE));
  return kept === text.length ? text : `${text.slice(0, kept)}… (${text.length - kept} characters more)`;
}

/** An error as rows, events and HTTP bodies carry it. `cause` follows the chain to a depth of 5. */
// A type alias, not an interface: event payloads need its implicit index signature.
export type SerializedError = {
  /** The class of the error: `TypeError`, or the name of the user's own. */
  name: string;
  /** Absent for foreign errors without a string code. */
  code?: ServiceErrorCode;
  /** The summary and what to do next. */
  message: string;
  /** The problem, without the next step. Only of a `ServiceError`. */
  summary?: string;
  /** Where the code is explained, within the installed library: rows go to other machines. Only of a `ServiceError`. */
  docsUrl?: string;
  /** Facts for machines. Only of a `ServiceError`. */
  details?: Record<string, unknown>;
  /** Whether another attempt may help, where the error says so itself. */
  retryable?: boolean;
  /** Where the user's own code threw it, or the innermost of its causes. Absent where unknown. */
  frame?: UserFrame;
  /**
   * The user's own frames, innermost first and one a line, at most 20: `at name (file:line:column)`.
   * Files are relative to the root of the run; packages, Node and this library are left out.
   */
  stack?: string;
  /** The cause. */
  cause?: SerializedError;
  /** Of an `AggregateError`, as `Promise.any` throws it: the first ten that it holds. */
  errors?: SerializedError[];
  /** How many it holds beyond those. Absent without any. */
  moreErrors?: number;
};

const LONGEST_CHAIN = 5;
const MOST_ERRORS = 10;
/** Errors that stand side by side may hold others: all of one tree. */
const MOST_IN_TREE = 40;

/** @param root folder that the files of `frame` and `stack` are relative to; without it neither is given */
export function serializeError(thrown: unknown, root?: string): SerializedError {
  return serialize(thrown, root, { depth: 0, left: { count: MOST_IN_TREE } });
}

/** How deep an error stands in its tree, and how many of the tree may still be included. */
interface TreePlace {
  depth: number;
  left: { count: number };
}

function serialize(thrown: unknown, root: string | undefined, { depth, left }: TreePlace): SerializedError {
  const below = { depth: depth + 1, left };
  left.count -= 1;
  const error = ensureError(thrown);
  const serialized: SerializedError = { name: className(error), message: error.message };
  const { code, retryable } = error as { code?: unknown; retryable?: unknown };
  if (typeof code === "string") serialized.code = code;
  if (typeof retryable === "boolean") serialized.retryable = retryable;
  if (ServiceError.is(error)) {
    // Of a class that only calls itself so they can be anything.
    const { summary, details } = error as { summary?: unknown; details?: unknown };
    if (typeof summary === "string") serialized.summary = summary;
    serialized.docsUrl = docsPathOf(error.code);
    if (details !== undefined) serialized.details = jsonSafe(details);
  }
  const cause =
    error.cause === undefined || depth >= LONGEST_CHAIN ? undefined : serialize(error.cause, root, below);
  const frames = root === undefined ? [] : userFrames(error, root);
  const frame = cause?.frame ?? frames[0];
  if (frame !== undefined) serialized.frame = frame;
  if (frames.length > 0) serialized.stack = framesText(frames);
  if (cause !== undefined) serialized.cause = cause;
  const held = depth >= LONGEST_CHAIN ? [] : heldErrors(error);
  const reported: SerializedError[] = [];
  for (const one of held.slice(0, MOST_ERRORS)) {
    if (left.count > 0) reported.push(serialize(one, root, below));
  }
  if (reported.length > 0) serialized.errors = reported;
  if (held.length > reported.length) serialized.moreErrors = held.length - reported.length;
  return serialized;
}

/** Errors that stand side by side within one; any other member of that name is the user's own. */
function heldErrors(error: Error): unknown[] {
  const errors = read(error, "errors");
  const isAggregate = error.name === "AggregateError" || error instanceof AggregateError;
  return isAggregate && Array.isArray(errors) ? errors : [];
}

/** The author's name for it: few classes of their own set `name`. */
function className(error: Error): string {
  if (error.name !== "Error") return error.name;
  const own = (read(error, "constructor") as { name?: unknown } | undefined)?.name;
  return typeof own === "string" && /^[\w$]{1,200}$/.test(own) ? own : error.name;
}

/** The Error of a serialized one; a coded one becomes a ServiceError again. */
export function deserializeError(serialized: SerializedError): Error {
  const cause = serialized.cause === undefined ? undefined : deserializeError(serialized.cause);
  const error = restored(serialized, cause);
  // Where it comes from, not where it was read.
  const frames = serialized.stack?.replaceAll(/^/gm, "    ") ?? "";
  error.stack = `${error.name}: ${error.message}\n${frames}`;
  return error;
}

function restored(serialized: SerializedError, cause: Error | undefined): Error {
  if (serialized.errors !== undefined) {
    const errors = serialized.errors.map(deserializeError);
    const error = new AggregateError(errors, serialized.message, cause === undefined ? undefined : { cause });
    return Object.assign(error, serialized.code !== undefined && { code: serialized.code });
  }
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
    return tagOf(value);
  }
}

function tagOf(value: unknown): string {
  try {
    return Object.prototype.toString.call(value);
  } catch {
    // A revoked proxy.
    return "an object that cannot be read";
  }
}

function jsonSafe(details: unknown): Record<string, unknown> {
  try {
    const json = JSON.stringify(details);
    if (json.length > LARGEST_DETAILS) return { tooLarge: json.length, limit: LARGEST_DETAILS };
    const kept: unknown = JSON.parse(json);
    if (isDeeper(kept, DEEPEST_DETAILS)) return { tooDeep: true, limit: DEEPEST_DETAILS };
    return isMembers(kept) ? kept : { value: kept };
  } catch {
    return { unserializable: describe(details) };
  }
}

function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether what JSON has given nests deeper. Level by level: it may be too deep for the stack. */
function isDeeper(value: unknown, limit: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return false;
}
