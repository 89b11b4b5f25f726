import { serializeError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import type { Remedy } from "../../model/remedy.js";
import { remedyOf } from "./error-remedy.js";

/** An error as clients on another machine may see it. JSON. */
export interface SentError {
  code: string;
  message: string;
  details?: Record<string, unknown>;
  remedy?: Remedy;
}

/** Stands for what a client may not see. */
export const HIDDEN = "(hidden)";

/** Members of details that tell about the machine, whatever they hold. */
const PRIVATE_MEMBERS: ReadonlySet<string> = new Set(["stack", "cwd", "env", "stderr", "stdout", "ownerId"]);

/** How deep details are looked through; what lies deeper is hidden. */
const DEEPEST = 8;

/** A file URL or an absolute path, also within a sentence; not the routes of the hosts. */
const LOCAL_PATH =
  /file:\/\/[^\s"'`<>]*|(?<![\w./:@~-])(?:~\/|\/(?!\/|v1\/|rpc\/|webhooks\/|workflows\/))[^\s"'`<>,;()]+\/[^\s"'`<>,;()]*|(?<![\w./-])[A-Za-z]:\\[^\s"'`<>,;]+/g;

/**
 * The part of any error that a host may send: its code, what happened, the facts and what to do. Never a stack, a
 * cause, a path of this machine or a link into its files. Of an error that is none of the library's it
 * says only that there was one: its text is for the host's log.
 */
export function clientError(thrown: unknown): SentError {
  if (!ServiceError.is(thrown) || thrown.code === "INTERNAL_ERROR") {
    return { code: "INTERNAL_ERROR", message: "Something failed on the server; its log says what." };
  }
  const { code, message, details } = serializeError(thrown);
  const owner = details?.ownerId;
  const text = typeof owner === "string" && owner !== "" ? message.replaceAll(owner, HIDDEN) : message;
  const remedy = remedyOf(thrown);
  return {
    code: code ?? "INTERNAL_ERROR",
    message: withoutPaths(text),
    ...(details !== undefined && { details: shown(details, 0) as Record<string, unknown> }),
    // Trust is given on the machine of the database.
    ...(remedy !== null && remedy.action !== "trust" && { remedy }),
  };
}

function withoutPaths(text: string): string {
  return text.replaceAll(LOCAL_PATH, HIDDEN);
}

function shown(value: unknown, depth: number): unknown {
  if (typeof value === "string") return withoutPaths(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === DEEPEST) return HIDDEN;
  if (Array.isArray(value)) return value.map((each) => shown(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !PRIVATE_MEMBERS.has(name))
      .map(([name, each]) => [name, shown(each, depth + 1)]),
  );
}
