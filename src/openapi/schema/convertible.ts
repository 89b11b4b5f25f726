import { describeSchema } from "./describe.js";
import { lengthInWords, limitsAreChecked, limitsInWords } from "./limits.js";
import { formatInWords, typedKeywords } from "./typed-keywords.js";
import { typesOf } from "./types.js";
import type { JsonSchema, Rewritten, SchemaVisitor } from "./visitor.js";

/**
 * Rewrites one schema of an OpenAPI document into the part of JSON Schema that
 * zod converts. Keywords are copied by name and kind, so whatever a document
 * holds, the outcome converts. Where a keyword has to go, the outcome accepts
 * more than the original and never less: the server has the last word.
 */
export function convertible(schema: Record<string, unknown>, visitor: SchemaVisitor): Rewritten {
  const rewritten = { ...withReference(schema, visitor) };
  if (schema["nullable"] === true) rewritten["nullable"] = true;
  const limits = limitsAreChecked(schema, visitor) ? [] : limitsInWords(schema);
  const description = describeSchema(schema, [...formatInWords(schema), ...lengthInWords(schema), ...limits]);
  if (description !== undefined) rewritten["description"] = description;
  for (const keyword of UNCHECKED) if (schema[keyword] !== undefined) visitor.unchecked(keyword);
  return rewritten;
}

const UNCHECKED = [
  "not",
  "if",
  "dependentSchemas",
  "dependentRequired",
  "unevaluatedItems",
  "unevaluatedProperties",
  "$dynamicRef",
];

function withReference(schema: Record<string, unknown>, visitor: SchemaVisitor): Rewritten {
  const body = withComposition(schema, visitor);
  const ref = schema["$ref"];
  if (typeof ref !== "string") return body;
  const target = visitor.reference(ref);
  if (Object.keys(body).length === 0) return target;
  // zod does not look at what stands beside a `$ref`; as branches of `allOf` both count.
  return { allOf: [target, body] };
}

function withComposition(schema: Record<string, unknown>, visitor: SchemaVisitor): Rewritten {
  const base = withType(schema, visitor);
  const branches = (keyword: string): JsonSchema[] => {
    const list = schema[keyword];
    return Array.isArray(list) ? list.map((branch) => visitor.child(branch, false)) : [];
  };
  const all = branches("allOf");
  // Documents use oneOf for alternatives that overlap, where no value fits exactly one of them.
  const choices = [branches("anyOf"), branches("oneOf")]
    .filter((list) => list.length > 0)
    .map((list) => ({ anyOf: list }));
  const [choice] = choices;
  if (choice !== undefined && choices.length === 1 && all.length === 0) return { ...base, ...choice };
  return all.length + choices.length === 0 ? base : { ...base, allOf: [...all, ...choices] };
}

function withType(schema: Record<string, unknown>, visitor: SchemaVisitor): Rewritten {
  const { enum: values, const: constant } = schema;
  if (constant !== undefined) {
    if (isScalar(constant)) return { const: constant };
    visitor.unchecked("const");
  } else if (Array.isArray(values) && values.length > 0) {
    if (values.every(isScalar)) return { enum: [...new Set(values)] };
    visitor.unchecked("enum");
  }
  const types = typesOf(schema);
  if (types.length === 0) return {};
  const typed: Rewritten = { type: types.length === 1 ? types[0] : types };
  for (const type of types) typedKeywords[type](schema, typed, visitor);
  return typed;
}

/** Objects and lists as constants would be compared by identity. */
function isScalar(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
