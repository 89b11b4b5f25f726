import type { SqlValue } from "../sql-port.js";
import { type Shape, shown } from "./shape.js";

/** Of a column that is never NULL; no member has this value. */
export const NO_NULL = Symbol("never NULL");

/**
 * One column of an engine table: what may be in it. Its writer and its reader apply
 * the same rule, so that every written row can be read, and a row that a foreign
 * program has written is refused as soon as it is read.
 */
export interface Column<T> {
  /** Name in SQL. */
  readonly name: string;
  readonly sqlType: "TEXT" | "INTEGER" | "INSTANT" | "REAL";
  /** The meaning of NULL: null, or a member that is not there. */
  readonly nullIs: null | undefined | typeof NO_NULL;
  /** The database's own value for rows that are written without the column, and for those older than it. */
  readonly byDefault?: number;
  /** Of a value that `nullIs` does not stand for: {@link written} takes any. @throws {@link Mismatch} */
  write(value: T): SqlValue;
  /** @throws {@link Mismatch} */
  read(value: SqlValue): T;
}

/** A value that a column does not hold; who knows the row makes an error of it. */
export class Mismatch {
  readonly problem: string;

  constructor(problem: string) {
    this.problem = problem;
  }
}

export function text(name: string): Column<string> {
  return scalar(name, "TEXT", (value) => (typeof value === "string" ? value : refuse("a text", value)));
}

/** A number of something, an iteration, an attempt, a key. */
export function count(name: string): Column<number> {
  return scalar(name, "INTEGER", (value) =>
    Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : refuse("a count", value),
  );
}

/** A place in the order of completion; negative = done before the run began. */
export function position(name: string): Column<number> {
  return scalar(name, "INTEGER", (value) =>
    Number.isSafeInteger(value) ? (value as number) : refuse("a position", value),
  );
}

/** Epoch ms. Also further away than a `Date` can be: an agent may tell any time for the end of its quota. */
export function instant(name: string): Column<number> {
  return scalar(name, "INSTANT", (value) =>
    Number.isFinite(value) ? (value as number) : refuse("a time", value),
  );
}

/** A measure of something. */
export function real(name: string): Column<number> {
  return scalar(name, "REAL", (value) =>
    Number.isFinite(value) ? (value as number) : refuse("a number", value),
  );
}

export function oneOf<const T extends string>(name: string, names: readonly T[]): Column<T> {
  const known: ReadonlySet<unknown> = new Set(names);
  return scalar(name, "TEXT", (value) =>
    known.has(value) ? (value as T) : refuse(`one of ${names.join(", ")}`, value),
  );
}

export function flag(name: string): Column<boolean> {
  return {
    name,
    sqlType: "INTEGER",
    nullIs: NO_NULL,
    write: (value) => (value ? 1 : 0),
    read: (value) => (value === 0 || value === 1 ? value === 1 : refuse("0 or 1", value)),
  };
}

/** A value that is kept as JSON text. */
export function json<T>(name: string, shape: Shape<T>): Column<T> {
  return {
    name,
    sqlType: "TEXT",
    nullIs: NO_NULL,
    write(value) {
      demand(shape, value);
      const written = JSON.stringify(value);
      refuseDepth(written);
      return written;
    },
    read(value) {
      const parsed = parseJson(value);
      demand(shape, parsed);
      return parsed as T;
    },
  };
}

/** JSON text that this library does not look into. */
export function jsonAsText(name: string): Column<string> {
  const read = (value: SqlValue) => {
    parseJson(value);
    return value as string;
  };
  return { name, sqlType: "TEXT", nullIs: NO_NULL, write: read, read };
}

/** NULL stands for null. */
export function nullable<T>(column: Column<T>): Column<T | null> {
  return {
    ...column,
    nullIs: null,
    write: column.write as Column<T | null>["write"],
    read: (value) => (value === null ? null : column.read(value)),
  };
}

/** NULL stands for a member that is absent. */
export function optional<T>(column: Column<T>): Column<T | undefined> {
  return {
    ...column,
    nullIs: undefined,
    write: column.write as Column<T | undefined>["write"],
    read: (value) => (value === null ? undefined : column.read(value)),
  };
}

/** A value as the column keeps it. @throws {@link Mismatch} */
export function written<T>(column: Column<T>, value: T): SqlValue {
  return value === column.nullIs ? null : column.write(value);
}

/** Rows that are written without the column have this value in it. */
export function withDefault<T>(column: Column<T>, byDefault: number): Column<T> {
  return { ...column, byDefault };
}

function scalar<T extends SqlValue>(
  name: string,
  sqlType: Column<T>["sqlType"],
  same: (value: SqlValue) => T,
): Column<T> {
  return { name, sqlType, nullIs: NO_NULL, write: same, read: same };
}

/** Levels of lists and objects in a JSON column. */
const MOST_LEVELS = 2_000;

function parseJson(value: SqlValue): unknown {
  if (typeof value !== "string") return refuse("JSON", value);
  refuseDepth(value);
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return refuse("JSON", value);
  }
}

/** Code that prints or copies a value recurses into it. @throws {@link Mismatch} for text that nests too deep */
export function refuseDepth(json: string): void {
  // Every level opens and closes: most texts are too short for that many.
  if (json.length < 2 * MOST_LEVELS) return;
  let level = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) at = endOfText(json, at);
    else if (character === OPEN_LIST || character === OPEN_OBJECT) level += 1;
    else if (character === CLOSE_LIST || character === CLOSE_OBJECT) level -= 1;
    if (level > MOST_LEVELS) throw new Mismatch(`nests deeper than ${MOST_LEVELS} levels`);
  }
}

const [QUOTE, BACKSLASH] = [34, 92];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

function endOfText(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (character === BACKSLASH) at += 1;
    else if (character === QUOTE) return at;
  }
  return json.length;
}

function demand<T>(shape: Shape<T>, value: unknown): void {
  const problem = shape.mismatch(value, "");
  if (problem !== undefined)
    throw new Mismatch(`holds JSON of another shape than is written there: ${problem}`);
}

function refuse(what: string, value: SqlValue): never {
  throw new Mismatch(`holds ${shown(value)} instead of ${what}`);
}
