type Schema = Record<string, unknown>;

/** The smallest value that a JSON Schema made by zod describes: required properties, first alternatives. */
export function sampleOf(schema: unknown, root: Schema, depth = 0): unknown {
  if (typeof schema !== "object" || schema === null || depth > 40) return "x";
  const {
    $ref,
    type,
    anyOf,
    oneOf,
    allOf,
    enum: values,
    properties,
    required,
    items,
    minItems,
  } = schema as Schema;
  const sample = (inner: unknown) => sampleOf(inner, root, depth + 1);
  if (typeof $ref === "string") return sample(atPointer(root, $ref));
  if ("const" in schema) return (schema as Schema)["const"];
  if (Array.isArray(values)) return values[0];
  const choices = (anyOf ?? oneOf) as unknown[] | undefined;
  if (choices !== undefined) return sample(choices[0]);
  if (Array.isArray(allOf)) return allOf.map(sample).reduce(merge);
  switch (type) {
    case "object":
      return Object.fromEntries(
        ((required as string[] | undefined) ?? []).map((name) => [
          name,
          sample((properties as Schema)[name]),
        ]),
      );
    case "array": {
      const tuple = (schema as Schema)["prefixItems"] ?? (Array.isArray(items) ? items : undefined);
      if (Array.isArray(tuple)) return tuple.map(sample);
      return Array.from({ length: Number(minItems ?? 0) }, () => sample(items));
    }
    case "integer":
    case "number":
      return Math.max(1, Number((schema as Schema)["minimum"] ?? 1));
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return stringFor(schema as Schema);
  }
}

function stringFor({ format, minLength }: Schema): string {
  if (format === "date-time") return "2024-01-01T00:00:00Z";
  if (format === "uri") return "https://example.test/";
  return "x".repeat(Number(minLength ?? 1));
}

function merge(left: unknown, right: unknown): unknown {
  const bothObjects = [left, right].every((value) => typeof value === "object" && value !== null);
  return bothObjects ? { ...(left as object), ...(right as object) } : left;
}

function atPointer(root: Schema, ref: string): unknown {
  return ref
    .slice(1)
    .split("/")
    .filter(Boolean)
    .reduce<unknown>(
      (value, key) => (value as Schema)[key.replaceAll("~1", "/").replaceAll("~0", "~")],
      root,
    );
}
