import { asRecord } from "../spec.js";
import { typesOf } from "./types.js";
import type { SchemaVisitor } from "./visitor.js";

/**
 * Whether `uniqueItems`, `contains`, `propertyNames` and the number of
 * properties are checked. zod checks them in a step in front of the value, and
 * such a step inside a union or under `nullable` makes a required property
 * optional. There the model's text names them instead.
 */
export function limitsAreChecked(schema: Record<string, unknown>, visitor: SchemaVisitor): boolean {
  return visitor.isWhole && schema["nullable"] !== true && !Array.isArray(schema["type"]);
}

/** The limits that can be put into words. */
export function limitsInWords(schema: Record<string, unknown>): string[] {
  const { uniqueItems, minProperties, maxProperties } = schema;
  const words: string[] = [];
  if (uniqueItems === true) words.push("No two items are equal.");
  if (typeof minProperties === "number") words.push(`Has ${minProperties} properties or more.`);
  if (typeof maxProperties === "number") words.push(`Has ${maxProperties} properties or fewer.`);
  return words;
}

/** The items of a list whose places have schemas of their own. */
export function positionalItems({ items, prefixItems }: Record<string, unknown>): unknown[] | undefined {
  if (Array.isArray(prefixItems)) return prefixItems;
  return Array.isArray(items) ? items : undefined;
}

/** Whether the number of items is checked: zod fills missing places up where anything is accepted, then counts. */
export function lengthIsChecked(schema: Record<string, unknown>): boolean {
  return positionalItems(schema)?.every((item) => typesOf(asRecord(item) ?? {}).length > 0) ?? true;
}

/** The number of items where it is not checked. */
export function lengthInWords(schema: Record<string, unknown>): string[] {
  if (lengthIsChecked(schema)) return [];
  const { minItems, maxItems } = schema;
  const words: string[] = [];
  if (typeof minItems === "number") words.push(`Has ${minItems} items or more.`);
  if (typeof maxItems === "number") words.push(`Has ${maxItems} items or fewer.`);
  return words;
}
