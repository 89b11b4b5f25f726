import type { ZodType } from "zod";
import { NO_TASK, parseTaskKey, type TaskKey, taskKey } from "../../model/address.js";
import { shorten } from "../../util/bounded-text.js";
import { isRecord } from "../../util/is-record.js";

/**
 * The shape of a JSON column's value, checked at every row: plain closures, because a schema library costs
 * more than the row. A shape of `T` accepts what the type `T` allows and nothing that would break
 * code that reads it as a `T`; objects may have more members than it knows.
 * A member that is added to what is stored must be `optional`: rows that are there already stay as they are.
 */
export interface Shape<T> {
  /** The fault of the value, after the path of the member; undefined when it fits. */
  mismatch(value: unknown, path: string): string | undefined;
  /** Only for types: a shape fits one type exactly. */
  readonly of?: (value: T) => T;
}

/** A shape for each member, the optional ones included. */
export type Members<T> = { readonly [Member in keyof T]-?: Shape<T[Member]> };

export const anything: Shape<unknown> = { mismatch: () => undefined };
export const string = ofType<string>("a text", (value) => typeof value === "string");
/** A text that names a task of the run. */
export const taskKeyText: Shape<TaskKey> = ofType<TaskKey>("a key of a task", (value) => {
  if (typeof value !== "string") return false;
  if (value === NO_TASK) return true;
  const { nodeId, iteration } = parseTaskKey(value);
  return taskKey({ nodeId, iteration }) === value && Number.isSafeInteger(iteration);
});
export const boolean = ofType<boolean>("true or false", (value) => typeof value === "boolean");
export const number = ofType<number>("a number", (value) => Number.isFinite(value));
export const scalar = ofType<string | number | boolean>(
  "a text, a number, true or false",
  (value) => typeof value === "string" || typeof value === "boolean" || Number.isFinite(value),
);

export function literal<const T extends string>(...names: readonly T[]): Shape<T> {
  return ofType<T>(`one of ${names.join(", ")}`, (value) => names.includes(value as T));
}

/** The member may be absent. */
export function optional<T>({ mismatch }: Shape<T>): Shape<T | undefined> {
  return { mismatch: (value, path) => (value === undefined ? undefined : mismatch(value, path)) };
}

export function orNull<T>({ mismatch }: Shape<T>): Shape<T | null> {
  return { mismatch: (value, path) => (value === null ? undefined : mismatch(value, path)) };
}

export function listOf<T>(item: Shape<T>): Shape<T[]> {
  return {
    mismatch(value, path) {
      if (!Array.isArray(value)) return expected("a list", value, path);
      for (let index = 0; index < value.length; index += 1) {
        const problem = item.mismatch(value[index], `${path}[${index}]`);
        if (problem !== undefined) return problem;
      }
      return undefined;
    },
  };
}

/** An object whose members all have the same shape. */
export function recordOf<T>(member: Shape<T>): Shape<Record<string, T>> {
  return {
    mismatch(value, path) {
      if (!isRecord(value)) return expected("an object", value, path);
      for (const key of Object.keys(value)) {
        const problem = member.mismatch(value[key], joined(path, key));
        if (problem !== undefined) return problem;
      }
      return undefined;
    },
  };
}

export function object<T extends object>(members: Members<T>): Shape<T> {
  const known = Object.entries<Shape<never>>(members as never);
  return {
    mismatch(value, path) {
      if (!isRecord(value)) return expected("an object", value, path);
      for (const [key, shape] of known) {
        // A member that the object inherits is none of its own.
        const member = Object.hasOwn(value, key) ? value[key] : undefined;
        const problem = shape.mismatch(member, joined(path, key));
        if (problem !== undefined) return problem;
      }
      return undefined;
    },
  };
}

/** Objects that say by their `kind` what else they hold. */
export function byKind<T extends { kind: string }>(
  kinds: {
    readonly [Kind in T["kind"]]: Shape<Extract<T, { kind: Kind }>>;
  },
): Shape<T> {
  const shapes: Readonly<Record<string, Shape<never>>> = kinds as never;
  const kind = literal(...Object.keys(shapes));
  return {
    mismatch(value, path) {
      if (!isRecord(value)) return expected("an object", value, path);
      const problem = kind.mismatch(value["kind"], joined(path, "kind"));
      return problem ?? shapes[value["kind"] as string]?.mismatch(value, path);
    },
  };
}

/** A shape that another one needs before it is there. */
export function later<T>(shape: () => Shape<T>): Shape<T> {
  return { mismatch: (value, path) => shape().mismatch(value, path) };
}

/** The shape that a schema of the model describes already; for columns that few rows have a value in. */
export function described<T>(schema: () => ZodType<T>): Shape<T> {
  return {
    mismatch(value, path) {
      const parsed = schema().safeParse(value);
      if (parsed.success) return undefined;
      const [issue] = parsed.error.issues;
      return `${joined(path, issue?.path.join(".") ?? "")}: ${issue?.message ?? "does not fit"}`;
    },
  };
}

function ofType<T>(name: string, fits: (value: unknown) => boolean): Shape<T> {
  return { mismatch: (value, path) => (fits(value) ? undefined : expected(name, value, path)) };
}

function joined(path: string, member: string): string {
  return path === "" || member === "" ? path + member : `${path}.${member}`;
}

function expected(what: string, value: unknown, path: string): string {
  return `${path === "" ? "" : `${path} is `}${shown(value)} instead of ${what}`;
}

/** A value as messages show it. Contents stay short: they may be anything. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(shorten(value, 60));
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}
