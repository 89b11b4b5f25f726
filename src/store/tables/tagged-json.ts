import { types } from "node:util";
import type { ServiceError } from "../../errors/service-error.js";

/**
 * JSON that gives back what was put in: dates, bigints and undefined array
 * members travel as objects with one `$` member. A user's own object of that
 * shape is wrapped in `$object`, so no value is ever mistaken for a tag.
 * As in plain JSON, undefined object members are absent after a round trip and
 * -0 is 0; strings with lone surrogates are made well-formed.
 */

export type PathStep = string | number;
/** Builds the error for a value that cannot be stored. */
export type Refuse = (path: readonly PathStep[], problem: string) => ServiceError;

const DATE = "$date";
const BIGINT = "$bigint";
const UNDEFINED = "$undefined";
const ESCAPED = "$object";

export interface EncodeOptions {
  /** Where the value sits, for messages. Default: at the top. */
  at?: PathStep;
  refuse: Refuse;
  /** Deepest level of objects and arrays. */
  maxDepth: number;
}

/**
 * JSON text of a value.
 * @throws what `options.refuse` returns
 */
export function toTaggedJson(value: unknown, options: EncodeOptions): string {
  return JSON.stringify(new Encoder(options).encode(value, 0));
}

/** @throws for a text that `toTaggedJson` does not make */
export function fromTaggedJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Every tag is a key that starts with `$`; without one the parsed value is the value.
  return text.includes('"$') ? revive(value) : value;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** The text with U+FFFD for each lone surrogate, which UTF-8 cannot hold. */
export function wellFormed(text: string): string {
  return LONE_SURROGATE.test(text) ? text.replace(/\p{Surrogate}/gu, "\ufffd") : text;
}

class Encoder {
  readonly #refuse: Refuse;
  readonly #maxDepth: number;
  readonly #path: PathStep[];
  /** The objects around the current value, to tell a cycle from a deep value. */
  readonly #ancestors: object[] = [];

  constructor({ at, refuse, maxDepth }: EncodeOptions) {
    this.#refuse = refuse;
    this.#maxDepth = maxDepth;
    this.#path = at === undefined ? [] : [at];
  }

  /** The value as plain JSON data; the same reference when nothing in it needs a tag. */
  encode(value: unknown, depth: number): unknown {
    switch (typeof value) {
      case "string":
        return wellFormed(value);
      case "boolean":
        return value;
      case "number":
        if (Number.isFinite(value)) return value;
        throw this.#refuse(this.#path, `is ${value}, which JSON cannot hold`);
      case "bigint":
        return { [BIGINT]: String(value) };
      case "undefined":
        return { [UNDEFINED]: true };
      case "object":
        return value === null ? null : this.#encodeObject(value, depth + 1);
      default:
        throw this.#refuse(this.#path, `is a ${typeof value}`);
    }
  }

  #encodeObject(value: object, depth: number): unknown {
    if (types.isDate(value)) {
      if (!Number.isNaN(value.getTime())) return { [DATE]: value.toISOString() };
      throw this.#refuse(this.#path, "is an invalid Date");
    }
    if (depth > this.#maxDepth) {
      if (this.#ancestors.includes(value)) throw this.#refuse(this.#pathOfCircle(), "refers to itself");
      throw this.#refuse(this.#path, `is nested deeper than ${this.#maxDepth} levels`);
    }
    this.#ancestors.push(value);
    const encoded = Array.isArray(value)
      ? this.#encodeArray(value, depth)
      : this.#encodeMembers(value, depth);
    this.#ancestors.pop();
    return encoded;
  }

  /** To where it closes: the way round it again and again says nothing more. */
  #pathOfCircle(): readonly PathStep[] {
    const closes = this.#ancestors.findIndex((object, level) => this.#ancestors.indexOf(object) < level);
    if (closes === -1) return this.#path;
    return this.#path.slice(0, this.#path.length - this.#ancestors.length + closes);
  }

  #encodeArray(items: readonly unknown[], depth: number): unknown {
    let copy: unknown[] | undefined;
    for (let index = 0; index < items.length; index += 1) {
      const before = items[index];
      this.#path.push(index);
      const after = this.encode(before, depth);
      this.#path.pop();
      if (copy === undefined && after !== before) copy = items.slice(0, index);
      copy?.push(after);
    }
    return copy ?? items;
  }

  #encodeMembers(value: object, depth: number): unknown {
    if (!isPlain(value)) throw this.#refuse(this.#path, `is ${describeInstance(value)}, not plain data`);
    const members: [string, unknown][] = [];
    let changed = false;
    for (const key of Object.keys(value)) {
      const before = (value as Record<string, unknown>)[key];
      if (before === undefined) continue;
      this.#path.push(key);
      const after = this.encode(before, depth);
      this.#path.pop();
      const cleanKey = wellFormed(key);
      changed ||= after !== before || cleanKey !== key;
      members.push([cleanKey, after]);
    }
    const encoded = changed ? Object.fromEntries(members) : value;
    const looksLikeTag = members.length === 1 && members[0]?.[0].startsWith("$");
    return looksLikeTag ? { [ESCAPED]: encoded } : encoded;
  }
}

/** Objects of another realm count: their prototype is an object without a prototype too. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

function describeInstance(value: object): string {
  const name = value.constructor?.name;
  if (name === "Object") return "an object with a prototype of its own";
  return name === undefined || name === "" ? "an instance of a class" : `an instance of ${name}`;
}

function revive(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return reviveInPlace(value);
  const keys = Object.keys(value);
  if (keys.length !== 1) return reviveInPlace(value);
  const key = keys[0] as string;
  const inner = (value as Record<string, unknown>)[key];
  switch (key) {
    case DATE:
      return revivedDate(inner);
    case BIGINT:
      return BigInt(inner as string);
    case UNDEFINED:
      return undefined;
    case ESCAPED:
      return reviveInPlace(Object(inner) as object);
    default:
      return reviveInPlace(value);
  }
}

function revivedDate(iso: unknown): Date {
  const date = new Date(iso as string);
  // Throws for a date that is none.
  date.toISOString();
  return date;
}

function reviveInPlace(container: object): object {
  const members = container as Record<string, unknown>;
  for (const key of Object.keys(members)) {
    const before = members[key];
    const after = revive(before);
    if (after === before) continue;
    // A plain assignment to `__proto__` would change the prototype instead of the member.
    Object.defineProperty(members, key, {
      value: after,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return container;
}
