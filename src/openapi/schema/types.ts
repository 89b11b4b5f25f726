const TYPE_NAMES = ["string", "number", "integer", "boolean", "null", "array", "object"] as const;

export type TypeName = (typeof TYPE_NAMES)[number];

/** The types a schema admits; empty when it says nothing about them. */
export function typesOf(schema: Record<string, unknown>): TypeName[] {
  const { type } = schema;
  const given = (Array.isArray(type) ? type : [type]).filter(
    (name): name is TypeName => typeof name === "string" && (TYPE_NAMES as readonly unknown[]).includes(name),
  );
  if (given.length > 0 || type !== undefined) return [...new Set(given)];
  const has = (...keywords: string[]) => keywords.some((keyword) => schema[keyword] !== undefined);
  // Many documents leave out `type: object` and mean it.
  // `required: true` beside a property is a mistake that says nothing about its type.
  const namesMembers = Array.isArray(schema["required"]);
  if (namesMembers || has("properties", "additionalProperties", "patternProperties")) return ["object"];
  return has("items", "prefixItems") ? ["array"] : [];
}
