import { toJSONSchema, type ZodType } from "zod";
import { parseWith } from "./parse-with.js";

/** A JSON Schema as zod writes it. */
interface SchemaNode {
  $ref?: string;
  $defs?: Record<string, SchemaNode>;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  allOf?: SchemaNode[];
  properties?: Record<string, SchemaNode>;
  required?: string[];
  items?: SchemaNode;
  prefixItems?: SchemaNode[];
  minItems?: number;
  minLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
}

/** Deeper than this a placeholder is of no use, and a recursive schema would not end. */
const DEEPEST = 6;
/** Placeholders of a list or text that must have many. */
const MOST_ITEMS = 3;
const LONGEST_TEXT = 80;

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T12:00:00Z",
  date: "2026-01-31",
  time: "12:00:00",
  duration: "P1D",
  email: "name@example.com",
  uri: "https://example.com",
  uuid: "00000000-0000-4000-8000-000000000000",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
};

const known = new WeakMap<ZodType, unknown>();

/**
 * A first value for a person who has to write one that fits: the members that must be there,
 * with placeholders. It fits as it stands; undefined where no such value is found, as for a schema that
 * has no JSON form or asks for texts of a pattern.
 */
export function exampleOf(schema: ZodType): unknown {
  if (known.has(schema)) return known.get(schema);
  const example = exampleFor(schema);
  known.set(schema, example);
  return example;
}

function exampleFor(schema: ZodType): unknown {
  try {
    let hasTransform = false;
    const root = toJSONSchema(schema, {
      io: "input",
      unrepresentable: "any",
      override({ zodSchema: { _zod } }) {
        hasTransform ||= _zod.def.type === "pipe" || _zod.def.type === "transform";
      },
    }) as SchemaNode;
    const example = exampleIn(root, root, 0);
    // A transform is awaited wherever that is possible.
    const parsed = hasTransform ? schema.safeParse(example) : parseWith(schema, example);
    if (!(parsed instanceof Promise)) return parsed.success ? example : undefined;
    // An example is not a row: a rejection of an asynchronous rule is no error of the run.
    parsed.catch(() => {});
    return undefined;
  } catch {
    return undefined;
  }
}

function exampleIn(node: SchemaNode, root: SchemaNode, depth: number): unknown {
  if (depth > DEEPEST) return null;
  if (node.const !== undefined) return node.const;
  if (node.enum !== undefined) return node.enum[0];
  if (node.$ref !== undefined) return exampleIn(referredTo(node.$ref, root), root, depth + 1);
  const [choice] = node.anyOf ?? node.oneOf ?? [];
  if (choice !== undefined) return exampleIn(choice, root, depth + 1);
  if (node.allOf !== undefined) {
    return Object.assign({}, ...node.allOf.map((part) => exampleIn(part, root, depth + 1)));
  }
  const type = Array.isArray(node.type) ? node.type[0] : node.type;
  switch (type) {
    case "object":
      return Object.fromEntries(
        (node.required ?? []).map((name) => [
          name,
          exampleIn(node.properties?.[name] ?? {}, root, depth + 1),
        ]),
      );
    case "array":
      return itemsOf(node).map((item) => exampleIn(item, root, depth + 1));
    case "string":
      return textOf(node);
    case "integer":
    case "number":
      return numberOf(node, type === "integer");
    case "boolean":
      return true;
    default:
      return null;
  }
}

/** `#` or `#/$defs/name`. */
function referredTo(reference: string, root: SchemaNode): SchemaNode {
  return reference === "#" ? root : (root.$defs?.[reference.replace("#/$defs/", "")] ?? {});
}

function itemsOf({ prefixItems, items = {}, minItems = 0 }: SchemaNode): SchemaNode[] {
  return prefixItems ?? Array.from({ length: Math.min(minItems, MOST_ITEMS) }, () => items);
}

function textOf({ format = "", minLength = 0 }: SchemaNode): string {
  return FORMATS[format] ?? "…".padEnd(Math.min(minLength, LONGEST_TEXT), "…");
}

/** The number nearest to 0 that fits. */
function numberOf(node: SchemaNode, isWhole: boolean): number {
  const step = node.multipleOf ?? (isWhole ? 1 : 0);
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = node;
  const low = Math.max(minimum ?? Number.NEGATIVE_INFINITY, exclusiveMinimum ?? Number.NEGATIVE_INFINITY);
  const high = Math.min(maximum ?? Number.POSITIVE_INFINITY, exclusiveMaximum ?? Number.POSITIVE_INFINITY);
  const fits = (value: number) =>
    value >= low && value <= high && value !== exclusiveMinimum && value !== exclusiveMaximum;
  const near = Math.min(Math.max(0, low), high);
  const multiple = step === 0 ? near : Math.ceil(near / step) * step;
  const between = Number.isFinite(low) && Number.isFinite(high) ? (low + high) / 2 : near;
  const beside = [multiple, multiple + (step || 1), multiple - (step || 1), between];
  return beside.find(fits) ?? multiple;
}
