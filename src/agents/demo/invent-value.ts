/** A JSON Schema, as far as it is looked at here. */
interface Schema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  $ref?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema | Schema[];
  minItems?: number;
  maxItems?: number;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
}

interface Place {
  root: Schema;
  /** The meaning of a text: the name of its property, with its position in a list. */
  name: string;
  depth: number;
}

/** From here on optional parts are left out, so that recursive schemas come to an end. */
const DEEP = 4;

/**
 * A value that fits a JSON Schema, the same on every call. Texts name the property they stand in,
 * booleans are true, numbers are the smallest allowed one that is not negative, lists have two items.
 */
export function inventValue(schema: Record<string, unknown>): unknown {
  return invent(schema, { root: schema, name: "answer", depth: 0 });
}

function invent(schema: Schema, place: Place): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.$ref !== undefined) return invent(resolve(schema.$ref, place.root), place);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return invent(choose(choices, place.depth), place);
  if (schema.allOf !== undefined) return invent(Object.assign({}, ...schema.allOf) as Schema, place);
  switch (schema.type) {
    case "object":
      return inventObject(schema, place);
    case "array":
      return inventList(schema, place);
    case "string":
      return inventText(schema, place.name);
    case "number":
    case "integer":
      return inventNumber(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return schema.default ?? `Demo ${place.name}`;
  }
}

/** Something rather than null, except where it would continue for ever. */
function choose(choices: Schema[], depth: number): Schema {
  const isNull = (choice: Schema) => choice.type === "null";
  const preferred = depth >= DEEP ? choices.find(isNull) : choices.find((choice) => !isNull(choice));
  return preferred ?? choices[0] ?? {};
}

function inventObject(schema: Schema, place: Place): Record<string, unknown> {
  const required = new Set(schema.required);
  const value: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (place.depth >= DEEP && !required.has(name)) continue;
    value[name] = invent(property, { ...place, name: spoken(name), depth: place.depth + 1 });
  }
  const { additionalProperties: other, propertyNames } = schema;
  if (typeof other === "object" && Object.keys(value).length === 0 && place.depth < DEEP) {
    for (const key of propertyNames?.enum ?? ["demo"]) {
      value[String(key)] = invent(other, { ...place, name: spoken(String(key)), depth: place.depth + 1 });
    }
  }
  return value;
}

function inventList(schema: Schema, place: Place): unknown[] {
  const { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const item = (one: Schema, index: number) =>
    invent(one, { ...place, name: `${place.name} ${index + 1}`, depth: place.depth + 1 });
  if (Array.isArray(items)) return items.map(item);
  const wanted = place.depth >= DEEP ? minItems : Math.max(minItems, 2);
  return Array.from({ length: Math.min(wanted, maxItems) }, (_, index) => item(items, index));
}

function inventNumber(schema: Schema): number {
  const step = schema.multipleOf ?? (schema.type === "integer" ? 1 : 0);
  const gap = step === 0 ? 0.5 : step;
  const lowest =
    schema.minimum ?? (schema.exclusiveMinimum === undefined ? undefined : schema.exclusiveMinimum + gap);
  const highest =
    schema.maximum ?? (schema.exclusiveMaximum === undefined ? undefined : schema.exclusiveMaximum - gap);
  const start = Math.max(lowest ?? 0, Math.min(step === 0 ? 1 : step, highest ?? 1));
  const value = Math.min(start, highest ?? start);
  if (step === 0) return value;
  const rounded = Math.ceil(value / step) * step;
  return highest !== undefined && rounded > highest ? Math.floor(highest / step) * step : rounded;
}

/** One text for each format that zod can ask for and that is more than a length. */
const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "2026-01-01T00:00:00.000Z",
  date: "2026-01-01",
  time: "12:00:00",
  duration: "P1D",
  email: "demo@example.com",
  uri: "https://example.com/demo",
  uuid: "00000000-0000-4000-8000-000000000000",
  guid: "00000000-0000-4000-8000-000000000000",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  cidrv4: "192.0.2.0/24",
  cidrv6: "2001:db8::/32",
  base64: "ZGVtbw==",
  base64url: "ZGVtbw",
  emoji: "🧵",
};

/** Tried in turn where a pattern is asked for. */
const SIMPLE_TEXTS = ["demo", "Demo", "DEMO", "0", "1", "demo-1", "1.0.0", "#000000", "A1"];

function inventText(schema: Schema, name: string): string {
  const formatted = schema.format === undefined ? undefined : FORMATS[schema.format];
  if (formatted !== undefined) return formatted;
  if (schema.pattern !== undefined) {
    const pattern = new RegExp(schema.pattern, "u");
    return SIMPLE_TEXTS.find((text) => pattern.test(text)) ?? "demo";
  }
  const text = `Demo ${name}`;
  const padded = text.padEnd(schema.minLength ?? 0, ".");
  return padded.slice(0, schema.maxLength ?? padded.length);
}

function resolve(reference: string, root: Schema): Schema {
  const path = reference.replace(/^#\/?/, "").split("/").filter(Boolean);
  let target: unknown = root;
  for (const key of path) {
    target = (target as Record<string, unknown>)[key.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return target as Schema;
}

/** `nextSteps` and `next_steps` as "next steps". */
function spoken(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .toLowerCase();
}
