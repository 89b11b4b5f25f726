import type { $ZodNumberDef, $ZodType, $ZodTypes } from "zod/v4/core";

/**
 * How one schema field is kept. `text integer real boolean` are SQL scalars (a
 * boolean is 0 or 1), `date` is the ISO time as a JSON string, `json` is tagged
 * JSON, `extra` is tagged JSON of the members a loose schema lets through.
 */
export const COLUMN_KINDS = ["text", "integer", "real", "boolean", "date", "json", "extra"] as const;
export type ColumnKind = (typeof COLUMN_KINDS)[number];

export interface FieldType {
  kind: ColumnKind;
  /** Kind of a value that is there: differs from `kind` where a scalar is JSON because it may be absent and null. */
  valueKind: ColumnKind;
  /** The field may be absent. */
  optional: boolean;
  /** The field may be null. */
  nullable: boolean;
  /** The only values of an enum or literal; absent = any value of the kind. */
  values?: ReadonlySet<unknown>;
}

/**
 * Which face of the schema a table holds: outputs are stored after parsing,
 * inputs are stored as given, so before defaults and transforms.
 */
export type SchemaSide = "input" | "output";

/** The definition of a zod 4 schema as a union that `type` discriminates. */
export function definitionOf(schema: $ZodType): $ZodTypes["_zod"]["def"] {
  return (schema as $ZodTypes)._zod.def;
}

/** Column type of a field. Anything without a scalar form is JSON. */
export function fieldTypeOf(schema: $ZodType, side: SchemaSide): FieldType {
  const type = unwrap(schema, side);
  // One NULL cannot say both "absent" and "null"; JSON has a spelling for each.
  return type.optional && type.nullable ? { ...type, kind: "json" } : type;
}

function unwrap(schema: $ZodType, side: SchemaSide): FieldType {
  const def = definitionOf(schema);
  switch (def.type) {
    case "optional":
      return { ...unwrap(def.innerType, side), optional: true };
    case "nullable":
      return { ...unwrap(def.innerType, side), nullable: true };
    case "nonoptional":
      return { ...unwrap(def.innerType, side), optional: false };
    case "default":
    case "prefault":
    case "catch": {
      const inner = unwrap(def.innerType, side);
      return side === "input" ? { ...inner, optional: true } : inner;
    }
    case "readonly":
      return unwrap(def.innerType, side);
    case "pipe":
      return unwrap(side === "input" ? def.in : def.out, side);
    case "string":
    case "template_literal":
      return scalar("text");
    case "number":
      return scalar(isInteger(def) ? "integer" : "real");
    case "boolean":
    case "success":
      return scalar("boolean");
    case "date":
      return scalar("date");
    case "enum":
      return ofValues(new Set(schema._zod.values ?? Object.values(def.entries)));
    case "literal":
      return ofValues(new Set(def.values));
    // These take undefined without saying so, or may; nothing is known before a value is there.
    case "any":
    case "unknown":
    case "undefined":
    case "void":
    case "transform":
    case "lazy":
      return { ...scalar("json"), optional: true };
    case "intersection":
      return {
        ...scalar("json"),
        optional: unwrap(def.left, side).optional && unwrap(def.right, side).optional,
      };
    case "union":
      return { ...scalar("json"), optional: def.options.some((option) => unwrap(option, side).optional) };
    default:
      return scalar("json");
  }
}

function scalar(kind: ColumnKind): FieldType {
  return { kind, valueKind: kind, optional: false, nullable: false };
}

function ofValues(values: ReadonlySet<unknown>): FieldType {
  const all = [...values];
  if (all.every((value) => typeof value === "string")) return { ...scalar("text"), values };
  if (all.every((value) => typeof value === "boolean")) return { ...scalar("boolean"), values };
  if (all.every((value) => Number.isSafeInteger(value))) return { ...scalar("integer"), values };
  if (all.every((value) => typeof value === "number")) return { ...scalar("real"), values };
  return { ...scalar("json"), optional: values.has(undefined) };
}

const INTEGER_FORMATS: ReadonlySet<unknown> = new Set(["safeint", "int32", "uint32"]);

function isInteger(def: $ZodNumberDef): boolean {
  if ("format" in def && INTEGER_FORMATS.has(def.format)) return true;
  return (def.checks ?? []).some((check) => {
    const rule = check._zod.def;
    return "format" in rule && INTEGER_FORMATS.has(rule.format);
  });
}
