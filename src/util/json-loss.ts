import { memberPath } from "./value-path.js";

export interface JsonLoss {
  /** Such as `pages[3].fetch`; empty for the value itself. */
  path: string;
  /** The kind of value, such as "a function" or "a Map". */
  what: string;
}

/** No value that is meant has as many, and a deeper one would exhaust the stack. */
const MAX_DEPTH = 1_000;

/**
 * The first thing inside a value that JSON would drop, empty or refuse. A value that
 * gives its own JSON, such as a date, is taken at its word, and
 * undefined is no loss: it stands for nothing.
 */
export function findJsonLoss(value: unknown): JsonLoss | undefined {
  const found = search(value, []);
  if (found === undefined) return undefined;
  return { path: found.keys.reduceRight<string>(memberPath, ""), what: found.what };
}

interface Found {
  /** The way to it, innermost first: most values are whole, and need no path. */
  keys: (string | number)[];
  what: string;
}

function search(value: unknown, above: object[]): Found | undefined {
  const what = lossOf(value);
  if (what !== undefined) return { keys: [], what };
  if (typeof value !== "object" || value === null) return undefined;
  if (above.includes(value)) return { keys: [], what: "an object that contains itself" };
  if (above.length >= MAX_DEPTH) return { keys: [], what: `nested deeper than ${MAX_DEPTH} levels` };
  above.push(value);
  const { toJSON } = value as { toJSON?: unknown };
  const found =
    typeof toJSON === "function" ? search(toJSON.call(value), above) : searchMembers(value, above);
  above.pop();
  return found;
}

function searchMembers(value: object, above: object[]): Found | undefined {
  for (const [key, member] of Object.entries(value)) {
    const found = search(member, above);
    if (found === undefined) continue;
    found.keys.push(Array.isArray(value) ? Number(key) : key);
    return found;
  }
  return undefined;
}

function lossOf(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value);
  if (typeof value === "object") return value === null ? undefined : lossOfObject(value);
  const isKept = typeof value === "string" || typeof value === "boolean" || value === undefined;
  return isKept ? undefined : `a ${typeof value}`;
}

const NAMED: ReadonlySet<string> = new Set(["Map", "Set", "WeakMap", "WeakSet", "Promise", "RegExp"]);

function lossOfObject(value: object): string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "an invalid Date" : undefined;
  if (Array.isArray(value) || typeof (value as { toJSON?: unknown }).toJSON === "function") return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of another realm are plain too: their prototype has none either.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return undefined;
  const name = value.constructor?.name;
  if (name === undefined || name === "") return "an instance of a class";
  return NAMED.has(name) ? `a ${name}` : `an instance of ${name}`;
}
