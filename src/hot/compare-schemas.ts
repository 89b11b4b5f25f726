import { toJSONSchema, type ZodType } from "zod";
import { functionText } from "../graph/function-text.js";
import type { SchemaMap } from "../model/schema.js";
import { INPUT_KEY } from "../store/index.js";
import { stableJson } from "../util/stable-json.js";

/** One field of a table, as two generations declare it. */
export interface SchemaChange {
  /** Schema key and field, such as `review.score`; the key alone for what is about the whole schema. */
  field: string;
  /** `absent`, or the type with its rules. */
  old: string;
  new: string;
}

/** Schema and key of a table, and each of its fields, in a comparable form. */
type Fields = ReadonlyMap<string, JsonSchema>;

type JsonSchema = Record<string, unknown>;

/** They change no table and refuse no row. */
const REMARKS = ["$schema", "$id", "id", "title", "description", "examples", "deprecated", "$comment"];

const TYPE = "x-type";
const CODE = "x-code";

/** The schemas that a run goes by, with those of the runs that share its store. */
export interface RunSchemas {
  /** Of the code that it began with here. */
  first: SchemaMap;
  /** Outputs that newer code has added since, of all runs; they may go, and come back as they were. */
  added: SchemaMap;
}

/**
 * Every difference between the tables and validations of a run and those of newer code, those of the run in its
 * order. An output that neither has is none: there are no rows by it.
 */
export function compareSchemas({ first, added }: RunSchemas, next: SchemaMap): SchemaChange[] {
  const kept = Object.entries(added).filter(([key]) => key in next);
  const isNew = new Set(newOutputs({ first, added }, next));
  const compared = Object.entries(next).filter(([key]) => !isNew.has(key));
  const before = fieldsOf({ ...first, ...Object.fromEntries(kept) });
  const after = fieldsOf(Object.fromEntries(compared));
  const changes: SchemaChange[] = [];
  for (const field of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(field), after.get(field)];
    if (stableJson(was ?? null) === stableJson(is ?? null)) continue;
    changes.push({ field, old: describe(was), new: describe(is) });
  }
  return changes;
}

/** Keys of the outputs that are in neither. A run's input is what it began with. */
export function newOutputs({ first, added }: RunSchemas, next: SchemaMap): string[] {
  return Object.keys(next).filter((key) => key !== INPUT_KEY && !(key in first) && !(key in added));
}

function fieldsOf(schemas: SchemaMap): Fields {
  const fields = new Map<string, JsonSchema>();
  for (const [key, schema] of Object.entries(schemas)) {
    const { properties = {}, required = [], ...whole } = jsonSchemaOf(schema as unknown as ZodType, key);
    fields.set(key, whole);
    for (const [name, property] of Object.entries(properties as Record<string, JsonSchema>)) {
      fields.set(`${key}.${name}`, { ...property, required: (required as string[]).includes(name) });
    }
  }
  return fields;
}

function jsonSchemaOf(schema: ZodType, key: string): JsonSchema {
  return toJSONSchema(schema, {
    unrepresentable: "any",
    io: key === "input" ? "input" : "output",
    override({ zodSchema, jsonSchema }) {
      const target = jsonSchema as JsonSchema;
      for (const remark of REMARKS) delete target[remark];
      if (Array.isArray(target["enum"])) target["enum"] = target["enum"].map(String).sort();
      const { type } = zodSchema._zod.def;
      // The schema inside has left its type here.
      target[TYPE] = target[TYPE] === undefined ? type : `${type} ${String(target[TYPE])}`;
      const code = functionsIn(zodSchema as unknown as ZodType);
      if (code.length > 0) target[CODE] = [...((target[CODE] as string[] | undefined) ?? []), ...code];
    },
  }) as JsonSchema;
}

/** The author's own functions in a schema: refinements, transforms. JSON Schema has no word for them. */
function functionsIn(schema: ZodType): string[] {
  const { def } = schema._zod as unknown as { def: Record<string, unknown> };
  const checks = ((def["checks"] ?? []) as { _zod: { def: Record<string, unknown> } }[]).map(
    ({ _zod }) => _zod.def,
  );
  return [def, ...checks].flatMap(({ fn, transform, tx }) =>
    [fn, transform, tx].flatMap((value) =>
      typeof value === "function" ? functionText(Function.prototype.toString.call(value)) : [],
    ),
  );
}

/** `number (minimum 1)` */
function describe(schema: JsonSchema | undefined): string {
  if (schema === undefined) return "absent";
  const { [TYPE]: own, [CODE]: code, type = own, required, ...rules } = schema;
  const facts = [
    ...(required === false ? ["optional"] : []),
    ...Object.entries(rules).map(
      ([name, value]) => `${name} ${typeof value === "object" ? stableJson(bare(value)) : String(value)}`,
    ),
    ...((code as string[] | undefined) ?? []).map((text) => `check ${text}`),
  ];
  const name = Array.isArray(type) ? type.join(" or ") : String(type);
  return facts.length === 0 ? name : `${name} (${facts.join(", ")})`;
}

/** Without the marks of this file. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (name === TYPE ? [] : [[name, bare(member)]])),
  );
}
