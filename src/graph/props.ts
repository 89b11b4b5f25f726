import { isNested, ROUND_MARK } from "../model/address.js";
import type { HostElement } from "../model/host-node.js";
import { isWellFormed } from "../model/memory-namespace.js";
import { shorten } from "../util/bounded-text.js";
import { parseDuration } from "../util/duration.js";
import { findJsonLoss } from "../util/json-loss.js";
import { nearest } from "../util/nearest.js";
import { isPlainObject } from "../util/same-data.js";
import { frameError } from "./frame-error.js";

/*
 * Reading props is checking them: a workflow may come from plain JavaScript or
 * from outside as JSON. Each reader answers undefined for an absent prop and
 * throws INVALID_INPUT, naming element, prop and value, for one of the wrong kind.
 */

export function readText(element: HostElement, name: string): string | undefined {
  const value = element.props[name];
  if (isAbsent(value)) return undefined;
  if (typeof value !== "string" || value === "") throw invalid(element, name, "a non-empty string");
  return value;
}

export function readFlag(element: HostElement, name: string): boolean | undefined {
  const value = element.props[name];
  if (isAbsent(value)) return undefined;
  if (typeof value !== "boolean") throw invalid(element, name, "true or false");
  return value;
}

export interface CountLimits {
  min: number;
  /** Whether Infinity is a valid value. */
  infinite?: boolean;
}

export function readCount(element: HostElement, name: string, limits: CountLimits): number | undefined {
  const value = element.props[name];
  if (isAbsent(value)) return undefined;
  if (limits.infinite === true && value === Number.POSITIVE_INFINITY) return value;
  if (typeof value !== "number" || !Number.isInteger(value) || value < limits.min) {
    throw invalid(
      element,
      name,
      `an integer of at least ${limits.min}${limits.infinite === true ? ", or Infinity" : ""}`,
    );
  }
  return value;
}

/** A time limit: more than 0 milliseconds. */
export function readTimeout(element: HostElement, name: string): number | undefined {
  const value = element.props[name];
  if (isAbsent(value)) return undefined;
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) {
    throw invalid(element, name, "a number of milliseconds greater than 0");
  }
  return value;
}

/** Milliseconds of `30s`, `5m`, `1d`, or of a number. */
export function readDuration(element: HostElement, name: string): number | undefined {
  const value = element.props[name];
  if (isAbsent(value)) return undefined;
  const ms = typeof value === "string" || typeof value === "number" ? parseDuration(value) : undefined;
  if (ms === undefined)
    throw invalid(element, name, 'a duration such as "30s" or "5m", or a number of milliseconds');
  return ms;
}

export function readChoice<T extends string>(
  element: HostElement,
  name: string,
  choices: readonly T[],
): T | undefined {
  const value = element.props[name];
  if (isAbsent(value)) return undefined;
  if (!choices.includes(value as T)) {
    throw invalid(element, name, `one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`);
  }
  return value as T;
}

export function readTexts(element: HostElement, name: string): string[] | undefined {
  const value = element.props[name];
  if (isAbsent(value)) return undefined;
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) {
    throw invalid(element, name, "a list of strings");
  }
  return value;
}

export function readTextMap(element: HostElement, name: string): Record<string, string> | undefined {
  const value = element.props[name];
  if (isAbsent(value)) return undefined;
  if (!isPlainObject(value) || !Object.values(value).every((item) => typeof item === "string")) {
    throw invalid(element, name, "an object whose values are strings");
  }
  return value as Record<string, string>;
}

/** A plain object that is stored as JSON, and loses nothing by it. */
export function readObjectProp(element: HostElement, name: string): Record<string, unknown> | undefined {
  const value = readObject(element, name);
  checkJsonProp(element, name, value);
  return value;
}

/** @throws INVALID_INPUT naming what JSON would lose of a prop, or of a part of it */
export function checkJsonProp(element: HostElement, place: string, value: unknown): void {
  const loss = findJsonLoss(value);
  if (loss === undefined) return;
  const where = loss.path === "" ? "" : ` in "${loss.path}"`;
  throw frameError(
    "INVALID_INPUT",
    element,
    `has ${place} with ${loss.what}${where}; expected plain JSON values or dates.`,
  );
}

/** A plain object of any content. */
export function readObject(element: HostElement, name: string): Record<string, unknown> | undefined {
  const value = element.props[name];
  if (isAbsent(value)) return undefined;
  if (!isPlainObject(value)) throw invalid(element, name, "an object");
  return value;
}

/** As readObject, of these members and no others. */
export function readMembers<M extends string>(
  element: HostElement,
  name: string,
  members: readonly M[],
): { [K in M]?: unknown } | undefined {
  const value = readObject(element, name);
  const known: readonly string[] = members;
  const unknownName = Object.keys(value ?? {}).find((member) => !known.includes(member));
  if (unknownName === undefined) return value as { [K in M]?: unknown } | undefined;
  const meant = nearest(unknownName, members);
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  throw frameError(
    "INVALID_INPUT",
    element,
    `has ${name}.${unknownName}, which does not exist; its fields are ${members.join(", ")}${hint === "" ? "." : hint}`,
  );
}

/** The id that addresses a task. @throws TASK_ID_REQUIRED, INVALID_INPUT for one that is no text */
export function readTaskId(element: HostElement): string {
  const value = element.props["id"];
  if (isAbsent(value) || (typeof value === "string" && value.trim() === "")) {
    throw frameError("TASK_ID_REQUIRED", element, "has no id.");
  }
  if (typeof value !== "string") throw invalid(element, "id", "a string");
  return checkId(element, value);
}

/** The id of an element that can do without one. */
export function readOptionalId(element: HostElement): string | undefined {
  const id = readText(element, "id");
  return id === undefined ? undefined : checkId(element, id);
}

/** Characters of an id as its author writes it. */
const LONGEST_ID = 256;

function checkId(element: HostElement, id: string): string {
  if (id.length > LONGEST_ID) {
    throw invalid(element, "id", `an id of at most ${LONGEST_ID} characters, not ${id.length}`);
  }
  if (isNested(id)) throw invalid(element, "id", `an id without "${ROUND_MARK}"`);
  if (!isWellFormed(id))
    throw invalid(element, "id", "an id without half a character, as slice() leaves of an emoji");
  return id;
}

export function invalid(element: HostElement, name: string, expected: string) {
  return frameError(
    "INVALID_INPUT",
    element,
    `has ${name}=${show(element.props[name])}; expected ${expected}.`,
  );
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(shorten(value, LONGEST_ID));
  if (typeof value === "number" || typeof value === "boolean") return `{${value}}`;
  if (typeof value === "function") return "{a function}";
  if (Array.isArray(value)) return "{a list}";
  return "{an object}";
}
