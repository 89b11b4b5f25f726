import type { SerializedError } from "../../errors/ensure-error.js";
import { visibleText } from "./visible-text.js";

/** The part of an error that rows and events hold; events of older versions hold less. */
type Thrown = Pick<SerializedError, "name" | "message"> & {
  [Member in "code" | "summary" | "frame" | "stack" | "cause" | "errors" | "moreErrors"]?: unknown;
};

/**
 * An error that a row or an event holds, on one line: code, class, what happened, and where the user's
 * own code threw it: `TASK_FAILED TypeError: x is not a function (flow.tsx:12:3)`.
 */
export function serializedErrorLine(error: Thrown): string {
  const { code, name, summary, message } = error;
  const kind = [code, thrownClass(error)].filter((part) => part !== undefined).join(" ") || name;
  const text = `${summary ?? message}`;
  const place = ownPlace(error);
  const line = `${kind}: ${text}${place === undefined ? "" : ` (${place})`}`;
  return `${line}${heldLine(error)}${causeLine(error, text)}`.replaceAll(/\s+/g, " ").trim();
}

/** Where this error was thrown; `frame` is that of its innermost cause. */
function ownPlace({ stack, frame }: Thrown): string | undefined {
  const own =
    typeof stack === "string" ? /(?<![^\s()])([^\s()]+:\d+:\d+)\)?(?:\n|$)/.exec(stack)?.[1] : undefined;
  if (own !== undefined) return own;
  const { file, line, column } = (frame ?? {}) as Partial<NonNullable<SerializedError["frame"]>>;
  return file === undefined ? undefined : `${file}:${line}:${column}`;
}

/** The errors that stand side by side within one. */
function heldLine({ errors, moreErrors }: Thrown): string {
  if (!Array.isArray(errors) || errors.length === 0) return "";
  const more = typeof moreErrors === "number" ? [`${moreErrors} more`] : [];
  return ` [${[...(errors as Thrown[]).map(serializedErrorLine), ...more].join("; ")}]`;
}

/** The cause, unless the error repeats it. */
function causeLine({ cause }: Thrown, reported: string): string {
  if (typeof cause !== "object" || cause === null) return "";
  const { message } = cause as Thrown;
  const isReported = typeof message !== "string" || reported.includes(message);
  return isReported
    ? causeLine(cause as Thrown, reported)
    : `, caused by ${serializedErrorLine(cause as Thrown)}`;
}

/** The class of what was thrown; that of the library's own errors says nothing that the code does not. */
function thrownClass({ name, cause }: Pick<Thrown, "name" | "cause">): string | undefined {
  if (name !== "ServiceError") return name;
  return typeof cause === "object" && cause !== null ? thrownClass(cause as Thrown) : undefined;
}

/** An error of the user's own code: its class says more than the message of the code that caught it. */
export function isUsersOwn(error: Pick<Thrown, "name" | "cause">): boolean {
  return thrownClass(error) !== undefined;
}

/**
 * The user's own frames, innermost first, one a line: `at load (flow.tsx:12:3)`. An error of the library about
 * an error that it caught has none: then those of the cause.
 */
export function stackLines(error: object): string[] {
  const { stack, cause } = error as Pick<Thrown, "stack" | "cause">;
  if (typeof stack === "string" && stack !== "") return visibleText(stack).split("\n");
  return typeof cause === "object" && cause !== null ? stackLines(cause) : [];
}
