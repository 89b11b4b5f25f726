/** Traits of a JSON Schema that matter when a provider has to enforce it. */
export interface SchemaTraits {
  /** Properties that need not be present, in all objects together. */
  optional: number;
  /** Whether an object accepts properties that the schema does not name. */
  open: boolean;
  /** Whether it refers to itself. */
  recursive: boolean;
  /** Every keyword that occurs. */
  keywords: ReadonlySet<string>;
}

/** Keywords whose value maps names to schemas: the names are not keywords. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  "properties",
  "definitions",
  "$defs",
  "patternProperties",
]);
/** Keywords whose value is data. */
const DATA: ReadonlySet<string> = new Set(["enum", "const", "default", "examples", "required"]);

export function schemaTraits(schema: Record<string, unknown>): SchemaTraits {
  const keywords = new Set<string>();
  const traits = { optional: 0, open: false };
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      node.forEach(visit);
      return;
    }
    if (typeof node !== "object" || node === null) return;
    for (const [keyword, value] of Object.entries(node)) {
      keywords.add(keyword);
      if (DATA.has(keyword)) continue;
      if (NAMED_SCHEMAS.has(keyword)) Object.values(value as object).forEach(visit);
      else visit(value);
    }
    const { type, properties, required, additionalProperties } = node as Record<string, unknown>;
    if (type !== "object") return;
    if (additionalProperties !== false) traits.open = true;
    const names = Array.isArray(required) ? new Set<unknown>(required) : new Set();
    traits.optional += Object.keys((properties as object | undefined) ?? {}).filter(
      (name) => !names.has(name),
    ).length;
  };
  visit(schema);
  return { ...traits, recursive: keywords.has("$ref"), keywords };
}
