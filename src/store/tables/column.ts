import type { $ZodType } from "zod/v4/core";
import { Mismatch, refuseDepth } from "../columns/column.js";
import { shown } from "../columns/shape.js";
import type { SqlValue } from "../sql-port.js";
import type { ColumnKind, FieldType } from "./field-type.js";
import { fromTaggedJson, type Refuse, toTaggedJson, wellFormed } from "./tagged-json.js";

/** One column of a generated table. */
export interface ColumnSpec extends FieldType {
  /** Name in the schema. */
  field: string;
  /** Name in SQL. */
  column: string;
  /** Of the field; in a column of kind `extra`, of each member. Absent where no schema is known. */
  schema?: $ZodType;
}

/** SQL types, one word per dialect-neutral kind. */
export const SQL_TYPE: Readonly<Record<ColumnKind, "TEXT" | "INTEGER" | "REAL">> = {
  text: "TEXT",
  integer: "INTEGER",
  real: "REAL",
  boolean: "INTEGER",
  date: "TEXT",
  json: "TEXT",
  extra: "TEXT",
};

/** The names of column kinds in messages. */
export const KIND_NAME: Readonly<Record<ColumnKind, string>> = {
  text: "a string",
  integer: "an integer",
  real: "a number",
  boolean: "a boolean",
  date: "a Date",
  json: "a JSON value",
  extra: "an object",
};

export type ColumnEncoder = (value: unknown) => SqlValue;
/** Never called with NULL. Throws {@link Mismatch} for what no encoder makes. */
export type ColumnDecoder = (value: SqlValue) => unknown;

export interface ColumnEncoding {
  /** Builds the error for a value that cannot be stored. */
  refuse: Refuse;
  /** Deepest level of objects and arrays inside one column. */
  maxDepth: number;
}

/** A function per column, compiled once: scalars cost one type test. */
export function columnEncoder(spec: ColumnSpec, encoding: ColumnEncoding): ColumnEncoder {
  const { field, kind, optional, nullable } = spec;
  const { refuse } = encoding;
  const miss = (value: unknown): SqlValue => {
    if (value === undefined ? optional : value === null && nullable) return null;
    throw refuse([field], `is ${describeValue(value)}; its column holds ${KIND_NAME[kind]}`);
  };
  switch (kind) {
    case "text":
      return (value) => (typeof value === "string" ? wellFormed(value) : miss(value));
    case "integer":
      // `+ 0` turns -0 into 0, which is what comes back.
      return (value) => (Number.isSafeInteger(value) ? (value as number) + 0 : miss(value));
    case "real":
      return (value) => (Number.isFinite(value) ? (value as number) + 0 : miss(value));
    case "boolean":
      return (value) => (value === true ? 1 : value === false ? 0 : miss(value));
    case "date":
      return (value) => {
        if (value === null && nullable) return "null";
        return value instanceof Date && !Number.isNaN(value.getTime()) ? JSON.stringify(value) : miss(value);
      };
    case "json":
    case "extra": {
      const options = { ...encoding, at: field };
      return (value) => (value === undefined ? null : toTaggedJson(value, options));
    }
  }
}

export function columnDecoder(kind: ColumnKind): ColumnDecoder {
  const miss = (value: SqlValue): never => {
    throw new Mismatch(`holds ${shown(value)} instead of ${KIND_NAME[kind]}`);
  };
  switch (kind) {
    case "text":
      return (value) => (typeof value === "string" ? value : miss(value));
    case "integer":
      return (value) => (Number.isSafeInteger(value) ? value : miss(value));
    case "real":
      return (value) => (Number.isFinite(value) ? value : miss(value));
    case "boolean":
      return (value) => (value === 0 || value === 1 ? value === 1 : miss(value));
    case "date":
      return (value) => {
        if (value === "null") return null;
        const date = new Date(typeof value === "string" ? value.slice(1, -1) : Number.NaN);
        return Number.isNaN(date.getTime()) ? miss(value) : date;
      };
    case "json":
    case "extra":
      return (value) => {
        const decoded = typeof value === "string" ? decodedJson(value) : undefined;
        if (decoded === undefined || (kind === "extra" && !isMembers(decoded.value))) return miss(value);
        return decoded.value;
      };
  }
}

/** Undefined for a text that no writer has made. */
function decodedJson(text: string): { value: unknown } | undefined {
  try {
    refuseDepth(text);
    return { value: fromTaggedJson(text) };
  } catch {
    return undefined;
  }
}

function isMembers(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The meaning of NULL in a column: null, or no member at all. JSON spells null out, so its NULL is an absence. */
export function nullMeansNull({ nullable, optional }: Pick<ColumnSpec, "optional" | "nullable">): boolean {
  return nullable && !optional;
}

/** The field that a stored row lacks although the schema requires it: the row is older than the field. */
export function missingField(
  columns: readonly ColumnSpec[],
  values: readonly unknown[],
  offset: number,
): string | undefined {
  return columns.find(({ optional, nullable }, at) => values[at + offset] === null && !optional && !nullable)
    ?.field;
}

/** A value's type as messages name it. Contents stay out: they may be secret, and long. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "an invalid Date" : "a Date";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
