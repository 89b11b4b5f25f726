import { isRecord } from "../../util/is-record.js";

type Schema = Record<string, unknown>;

/** Of a schema that says nothing of its value: a form that is made of it asks for JSON. */
export const ANY = { $comment: "any" };

/** Marks what stands in a union: the union has a name and a frame for all of them. */
export const IN_UNION = "x-in-union";

/** What holds where nothing is given. It stays the schema's: what is left empty is not sent. */
export const DEFAULT = "x-default";

/**
 * A JSON Schema as zod writes it (2020-12), as a form is made of it (draft 7): each union names its kinds, each literal that has to
 * be there is filled in, and nothing else is, so that a form yields what has been written in it.
 */
export function formSchema(schema: unknown): Schema {
  if (!isRecord(schema)) return ANY;
  const { $schema: _dialect, default: fallback, $defs, ...said } = schema;
  const { type, ...others } = said;
  const rest = type === "null" ? { ...others, const: null } : said;
  const made = typed(rest);
  if (Object.keys(rest).every((key) => ANNOTATIONS.has(key))) Object.assign(made, ANY);
  if (fallback !== undefined) made[DEFAULT] = fallback;
  if (isRecord($defs)) made["$defs"] = mapped($defs);
  return made;
}

const ANNOTATIONS = new Set(["title", "description", "examples", "id", "deprecated"]);
const SAFE = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
/** Said by the gateway where it does not hold; a form is not made of it. */
const RULES = new Set(["propertyNames", "uniqueItems", "pattern", "contentEncoding", "contentMediaType"]);

function typed(schema: Schema): Schema {
  if (Array.isArray(schema["type"])) {
    const { type: types, title, description, ...rules } = schema;
    const anyOf = (types as unknown[]).map((type) =>
      type === "null" ? { const: null } : { ...rules, type },
    );
    return typed({
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      anyOf,
    });
  }
  const made: Schema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (RULES.has(key) || ((key === "minimum" || key === "maximum") && SAFE.includes(value as number)))
      continue;
    made[key] = PARTS[key]?.(value, schema) ?? value;
  }
  if (Array.isArray(schema["prefixItems"])) {
    delete made["prefixItems"];
    made["items"] = schema["prefixItems"].map(formSchema);
    made["additionalItems"] = isRecord(schema["items"]) && formSchema(schema["items"]);
  }
  return isRecord(schema["propertyNames"]) ? withNames(made, schema["propertyNames"]) : made;
}

const PARTS: Readonly<Record<string, (value: unknown, schema: Schema) => unknown>> = {
  properties: (value, { required }) => properties(value, Array.isArray(required) ? required : []),
  items: (value) => (isRecord(value) ? formSchema(value) : value),
  additionalProperties: (value) => (value === false ? false : formSchema(value)),
  allOf: (value) => (value as unknown[]).map(formSchema),
  anyOf: kinds,
  oneOf: kinds,
};

/** A record of known keys is an object. */
function withNames(made: Schema, { enum: names }: Schema): Schema {
  if (!Array.isArray(names)) return made;
  const { additionalProperties: values, ...rest } = made;
  return { ...rest, properties: Object.fromEntries(names.map((name) => [String(name), values])) };
}

function mapped(schemas: Schema): Schema {
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, formSchema(one)]));
}

function properties(members: unknown, required: readonly unknown[]): Schema {
  const made = isRecord(members) ? mapped(members) : {};
  for (const [name, member] of Object.entries(made)) {
    // One that may be left out is chosen, not filled in.
    if (isRecord(member) && "const" in member && !required.includes(name)) {
      const { const: only, ...rest } = member;
      made[name] = { ...rest, enum: [only] };
    }
  }
  return made;
}

function kinds(options: unknown): unknown {
  if (!Array.isArray(options)) return options;
  const made = options
    .map(formSchema)
    .flatMap((one) => (Array.isArray(one["anyOf"]) ? (one["anyOf"] as Schema[]) : [one]));
  if (made.every((one) => "const" in one)) return made;
  return made.map((one) => ({ title: kindOf(one), ...one, [IN_UNION]: true }));
}

const WORDS: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  boolean: "true or false",
  array: "list",
};

/** What tells it from the others: the literal that it has, its type, or what it is of. */
function kindOf(schema: Schema): string {
  const { type, properties: members, items, enum: names } = schema;
  if (schema["const"] === null) return "nothing (null)";
  if ("const" in schema) return JSON.stringify(schema["const"]);
  const literal = Object.values(isRecord(members) ? members : {}).find(
    (one) => isRecord(one) && "const" in one,
  );
  if (isRecord(literal)) return String(literal["const"]);
  if (isRecord(members)) return Object.keys(members).join(", ");
  if (Array.isArray(names)) return names.join(", ");
  if (type === "array" && isRecord(items) && typeof items["type"] === "string")
    return `list of ${kindOf(items)}`;
  return typeof type === "string" ? (WORDS[type] ?? type) : "JSON";
}
