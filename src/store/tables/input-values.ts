import { describeValue, KIND_NAME } from "./column.js";
import type { ColumnKind, FieldType } from "./field-type.js";

/** One field that does not fit, as `details.issues` lists it. */
export interface InputIssue {
  path: string;
  message: string;
  /** The value that the field takes. */
  expected: string;
  received: string;
}

/** An issue of the usual form. */
export function mismatch(path: string, expected: string, received: string): InputIssue {
  return { path, message: `expected ${expected}, received ${received}`, expected, received };
}

/** Why a value that is there is none of the type; undefined when it is. */
export function mismatchOf(
  value: unknown,
  { valueKind, values }: Pick<FieldType, "valueKind" | "values">,
): { expected: string; received: string } | undefined {
  if (hasKind(value, valueKind) && (values === undefined || values.has(value))) return undefined;
  if (values === undefined) return { expected: expectedOf(valueKind), received: describeValue(value) };
  return {
    expected: `one of ${[...values].map(show).join(", ")}`,
    received: typeof value === "string" ? show(value) : describeValue(value),
  };
}

export function isPlainRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function hasKind(value: unknown, kind: ColumnKind): boolean {
  switch (kind) {
    case "text":
      return typeof value === "string";
    case "integer":
      return Number.isSafeInteger(value);
    case "real":
      return Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "date":
      return value instanceof Date && !Number.isNaN(value.getTime());
    default:
      return true;
  }
}

function expectedOf(kind: ColumnKind): string {
  return kind === "date" ? "a Date or an ISO 8601 string" : KIND_NAME[kind];
}

function show(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 60)) : String(value);
}
