import type { SerializedError } from "../../errors/ensure-error.js";
import { visibleText } from "./visible-text.js";

/** What rows and events hold of an error; events of older versions hold less. */
type Thrown = Pick<SerializedError, "name" | "message"> & {
  [Member in "code" | "summary" | "frame" | "stack" | "cause"]?: unknown;
};

/**
 * An error that a row or an event holds, on one line: code, class, what happened, and where the user's
 * own code threw it: `TASK_FAILED TypeError: x is not a function (flow.tsx:12:3)`.
 */
export function serializedErrorLine(error: Thrown): string {
  const { code, name, summary, message } = error;
  const frame = error.frame as SerializedError["frame"];
  const kind = [code, thrownClass(error)].filter((part) => part !== undefined).join(" ") || name;
  const place = frame === undefined ? "" : ` (${frame.file}:${frame.line}:${frame.column})`;
  return `${kind}: ${summary ?? message}${place}`.replaceAll(/\s+/g, " ").trim();
}

/** The class of what was thrown; that of the library's own errors says nothing that the code does not. */
function thrownClass({ name, cause }: Pick<Thrown, "name" | "cause">): string | undefined {
  if (name !== "ServiceError") return name;
  return typeof cause === "object" && cause !== null ? thrownClass(cause as Thrown) : undefined;
}

/** The user's own frames, innermost first, one a line: `at load (flow.tsx:12:3)`. */
export function stackLines(error: object): string[] {
  const { stack } = error as Pick<Thrown, "stack">;
  return typeof stack === "string" && stack !== "" ? visibleText(stack).split("\n") : [];
}
