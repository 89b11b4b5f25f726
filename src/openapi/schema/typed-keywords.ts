import { asRecord, asText } from "../spec.js";
import { lengthIsChecked, limitsAreChecked, positionalItems } from "./limits.js";
import { type TypeName, typesOf } from "./types.js";
import type { JsonSchema, Rewritten, SchemaVisitor } from "./visitor.js";

type CopyKeywords = (schema: Record<string, unknown>, into: Rewritten, visitor: SchemaVisitor) => void;

/** Per type: copies the keywords that belong to it, each only where it has the kind of value it should. */
export const typedKeywords: Record<TypeName, CopyKeywords> = {
  string: copyStringKeywords,
  number: copyNumberKeywords,
  integer: copyNumberKeywords,
  boolean() {},
  null() {},
  array: copyArrayKeywords,
  object: copyObjectKeywords,
};

/** Formats whose check in zod accepts all that the format allows. */
const CHECKED_FORMATS = new Set(["email", "uri", "date-time", "date", "time", "duration", "ipv4", "ipv6"]);

/** The format of strings where it is not checked as such. */
export function formatInWords(schema: Record<string, unknown>): string[] {
  const format = asText(schema["format"]);
  const isTold = format !== undefined && !CHECKED_FORMATS.has(format) && typesOf(schema).includes("string");
  return isTold ? [`Format: ${format}.`] : [];
}

/** zod's own check of `uuid` wants a version digit, which ids made by servers do not always have. */
const UUID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";

function copyStringKeywords(schema: Record<string, unknown>, into: Rewritten, visitor: SchemaVisitor): void {
  copyNumbers(schema, into, ["minLength", "maxLength"]);
  const pattern = asText(schema["pattern"]);
  if (pattern !== undefined && isPattern(pattern)) into["pattern"] = pattern;
  else if (pattern !== undefined) visitor.unchecked("pattern");
  const format = asText(schema["format"]);
  if (format !== undefined && CHECKED_FORMATS.has(format)) into["format"] = format;
  else if (format === "uuid" && into["pattern"] === undefined) into["pattern"] = UUID;
}

function copyNumberKeywords(schema: Record<string, unknown>, into: Rewritten): void {
  copyNumbers(schema, into, ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]);
  for (const keyword of ["exclusiveMinimum", "exclusiveMaximum"]) {
    // OpenAPI 3.0 makes the bound beside it exclusive with a boolean.
    if (typeof schema[keyword] === "boolean") into[keyword] = schema[keyword];
  }
  const { multipleOf } = schema;
  if (typeof multipleOf === "number" && multipleOf > 0) into["multipleOf"] = multipleOf;
}

function copyArrayKeywords(schema: Record<string, unknown>, into: Rewritten, visitor: SchemaVisitor): void {
  const { items, contains } = schema;
  const positional = positionalItems(schema);
  if (positional !== undefined) into["prefixItems"] = positional.map((item) => visitor.child(item, true));
  if (items !== undefined && !Array.isArray(items)) into["items"] = visitor.child(items, true);
  if (lengthIsChecked(schema)) copyNumbers(schema, into, ["minItems", "maxItems"]);
  if (!limitsAreChecked(schema, visitor)) {
    if (contains !== undefined) visitor.unchecked("contains");
    return;
  }
  if (contains !== undefined) into["contains"] = visitor.child(contains, true);
  copyNumbers(schema, into, ["minContains", "maxContains"]);
  if (schema["uniqueItems"] === true) into["uniqueItems"] = true;
}

function copyObjectKeywords(schema: Record<string, unknown>, into: Rewritten, visitor: SchemaVisitor): void {
  const hidden = visitor.readOnlyNames(schema);
  const properties = new Map<string, JsonSchema>();
  for (const [name, property] of Object.entries(asRecord(schema["properties"]) ?? {})) {
    if (!hidden.has(name)) properties.set(name, visitor.child(property, true));
  }
  const required = namesIn(schema["required"]).filter((name) => !hidden.has(name));
  // A name that only another branch of `allOf` describes is required here all the same.
  for (const name of required) if (!properties.has(name)) properties.set(name, {});
  // fromEntries defines own properties, also one called `__proto__`.
  into["properties"] = Object.fromEntries(properties);
  if (required.length > 0) into["required"] = required;
  if (limitsAreChecked(schema, visitor)) copyNumbers(schema, into, ["minProperties", "maxProperties"]);
  copyFurtherProperties(schema, into, visitor);
}

function copyFurtherProperties(
  schema: Record<string, unknown>,
  into: Rewritten,
  visitor: SchemaVisitor,
): void {
  const { additionalProperties, propertyNames } = schema;
  if (additionalProperties !== undefined) {
    into["additionalProperties"] = visitor.child(additionalProperties, true);
  }
  if (propertyNames !== undefined && !limitsAreChecked(schema, visitor)) visitor.unchecked("propertyNames");
  else if (propertyNames !== undefined) {
    // Names are strings; saying so keeps `pattern` and `maxLength` meaningful.
    const named = asRecord(propertyNames);
    into["propertyNames"] = visitor.child(
      named === undefined ? propertyNames : { type: "string", ...named },
      true,
    );
  }
  const patterns = Object.entries(asRecord(schema["patternProperties"]) ?? {});
  const valid = patterns.filter(([pattern]) => isPattern(pattern));
  if (valid.length > 0) {
    into["patternProperties"] = Object.fromEntries(
      valid.map(([pattern, value]) => [pattern, visitor.child(value, true)]),
    );
  }
  if (valid.length === patterns.length) return;
  visitor.unchecked("patternProperties");
  // A name that the lost pattern would have allowed must not be refused as unknown.
  delete into["additionalProperties"];
}

function copyNumbers(schema: Record<string, unknown>, into: Rewritten, keywords: string[]): void {
  for (const keyword of keywords) {
    if (typeof schema[keyword] === "number") into[keyword] = schema[keyword];
  }
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? [...new Set(value.filter((name) => typeof name === "string"))] : [];
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
