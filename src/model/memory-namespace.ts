import { ServiceError } from "../errors/service-error.js";
import { shorten } from "../util/bounded-text.js";
import { MEMORY_KINDS, type MemoryKind, type MemoryNamespace } from "./memory.js";

/** Characters of the id of a namespace, and of a key. */
export const LONGEST_MEMORY_NAME = 512;

/**
 * A namespace as facts and threads have it: `kind:id`, in whose id `%`, `:` and control characters are
 * percent-escaped, so that every namespace has one spelling.
 * @throws INVALID_INPUT
 */
export function namespaceText(namespace: unknown): string {
  const { kind, id } = typeof namespace === "string" ? parsed(namespace) : checked(namespace);
  return `${kind}:${escaped(id)}`;
}

/** The text that `namespaceText` makes of it, or the reason why it is no namespace. */
export function readNamespace(namespace: unknown): { text: string } | { problem: string } {
  try {
    return { text: namespaceText(namespace) };
  } catch (error) {
    return { problem: (error as ServiceError).summary };
  }
}

/** The namespace that tasks of a workflow share. */
export function workflowNamespace(workflowName: string): string {
  return namespaceText({ kind: "workflow", id: workflowName });
}

function parsed(text: string): MemoryNamespace {
  const colon = text.indexOf(":");
  if (colon < 0) throw refused(text, "expected `kind:id`");
  const kind = checkedKind(text.slice(0, colon), text);
  const rest = text.slice(colon + 1);
  if (rest.includes(":") || /%(?![0-9A-Fa-f]{2})/.test(rest)) {
    throw refused(text, `its id has to be percent-escaped: ${kind}:${escaped(unescaped(rest) ?? rest)}`);
  }
  const id = unescaped(rest);
  if (id === undefined) throw refused(text, "the escapes in its id are no UTF-8");
  return checkedId({ kind, id }, text);
}

function checked(namespace: unknown): MemoryNamespace {
  const { kind, id } = (namespace ?? {}) as { kind?: unknown; id?: unknown };
  if (typeof kind !== "string" || typeof id !== "string") {
    throw refused(namespace, "expected `kind:id`, or an object of a kind and an id");
  }
  return checkedId({ kind: checkedKind(kind, namespace), id }, namespace);
}

function checkedKind(kind: string, received: unknown): MemoryKind {
  const known = MEMORY_KINDS.find((name) => name === kind);
  if (known === undefined) throw refused(received, `its kind has to be one of ${MEMORY_KINDS.join(", ")}`);
  return known;
}

function checkedId(namespace: MemoryNamespace, received: unknown): MemoryNamespace {
  const { id } = namespace;
  if (id === "") throw refused(received, "its id is empty");
  if (id.length > LONGEST_MEMORY_NAME) {
    throw refused(received, `its id is longer than ${LONGEST_MEMORY_NAME} characters`);
  }
  if (!isWellFormed(id)) throw refused(received, "its id has half a character");
  return namespace;
}

const HALF_CHARACTER = /\p{Surrogate}/u;

/** Half a surrogate pair is stored as something else, and could be another namespace. */
export function isWellFormed(text: string): boolean {
  return !HALF_CHARACTER.test(text);
}

function escaped(id: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
  return id.replace(/[%:\u0000-\u001f\u007f]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  });
}

function unescaped(id: string): string | undefined {
  try {
    return decodeURIComponent(id);
  } catch {
    return undefined;
  }
}

function refused(received: unknown, why: string): ServiceError {
  const text = typeof received === "string" ? received : (JSON.stringify(received) ?? String(received));
  const shown = shorten(text, 120);
  return new ServiceError(
    "INVALID_INPUT",
    `The memory namespace ${JSON.stringify(shown)} is not valid: ${why}.`,
    {
      details: { namespace: shown },
    },
  );
}
