import { ServiceError } from "../../errors/service-error.js";
import type { SqlValue } from "../sql-port.js";

/*
 * What a column may hold, as its writer writes it. SQLite keeps any value in any
 * column, and a row need not have been written by this library. `readRow` adds
 * the table and the row to what is thrown here.
 */

type Cell = SqlValue | undefined;

export function text(value: Cell): string {
  return typeof value === "string" ? value : refuse("text", value);
}

/** A number of something, an iteration, an attempt. */
export function count(value: Cell): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : refuse("a count", value);
}

/** A place in the order of completion; negative = done before the run began. */
export function position(value: Cell): number {
  return Number.isSafeInteger(value) ? (value as number) : refuse("a position", value);
}

/** Epoch ms. Also further away than a `Date` can be: an agent may tell any time for the end of its quota. */
export function instant(value: Cell): number {
  return typeof value === "number" && Number.isFinite(value) ? value : refuse("a time", value);
}

export function oneOf<const T extends string>(names: readonly T[], value: Cell): T {
  return names.includes(value as T) ? (value as T) : refuse(`one of ${names.join(", ")}`, value);
}

/** An object that was written as JSON. */
export function record<T extends object>(value: Cell): T {
  const parsed: unknown = JSON.parse(text(value));
  const isRecord = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
  return isRecord ? (parsed as T) : refuse("an object", value);
}

/** A list that was written as JSON. */
export function list<T>(value: Cell): T[] {
  const parsed: unknown = JSON.parse(text(value));
  return Array.isArray(parsed) ? (parsed as T[]) : refuse("a list", value);
}

export function textList(value: Cell): string[] {
  const items = list(value);
  return items.every((item) => typeof item === "string")
    ? (items as string[])
    : refuse("a list of text", value);
}

/** NULL, or what `read` accepts. */
export function orNull<T>(read: (value: Cell) => T, value: Cell): T | null {
  return value === null || value === undefined ? null : read(value);
}

function refuse(expected: string, value: Cell): never {
  const found = typeof value === "string" ? JSON.stringify(value.slice(0, 60)) : String(value);
  throw new ServiceError("STORAGE_ERROR", `Expected ${expected}, not ${found}.`);
}
