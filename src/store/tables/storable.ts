import type { $ZodType } from "zod/v4/core";
import { definitionOf, type SchemaSide } from "./field-type.js";
import { ANY_ELEMENT } from "./names.js";

/** A part of a schema that no column can hold. */
export interface UnstorableType {
  path: (string | number)[];
  /** The zod type, such as `map`. */
  type: string;
}

const UNSTORABLE: ReadonlySet<string> = new Set([
  "map",
  "set",
  "function",
  "promise",
  "symbol",
  "file",
  "nan",
  "custom",
]);

/**
 * The parts of a field's schema whose values could never be stored and read
 * back. Recursive schemas are walked once. A transform's result has no type to
 * look at; it is checked when a value is written.
 */
export function findUnstorable(
  schema: $ZodType,
  side: SchemaSide,
  path: (string | number)[],
): UnstorableType[] {
  const found: UnstorableType[] = [];
  const seen = new Set<$ZodType>();
  const visit = (part: $ZodType, at: (string | number)[]): void => {
    if (seen.has(part)) return;
    seen.add(part);
    const { type } = definitionOf(part);
    if (UNSTORABLE.has(type)) found.push({ path: at, type });
    else for (const child of childrenOf(part, side)) visit(child.schema, [...at, ...child.path]);
  };
  visit(schema, path);
  return found;
}

interface Child {
  schema: $ZodType;
  path: (string | number)[];
}

function childrenOf(schema: $ZodType, side: SchemaSide): Child[] {
  const def = definitionOf(schema);
  const here = (...schemas: ($ZodType | null | undefined)[]): Child[] =>
    schemas
      .filter((child) => child !== null && child !== undefined)
      .map((child) => ({ schema: child, path: [] }));
  switch (def.type) {
    case "object":
      return [
        ...Object.entries(def.shape).map(([key, child]) => ({ schema: child, path: [key] })),
        ...here(def.catchall),
      ];
    case "array":
      return [{ schema: def.element, path: [ANY_ELEMENT] }];
    case "tuple":
      return [...def.items.map((child, index) => ({ schema: child, path: [index] })), ...here(def.rest)];
    case "record":
      return [...here(def.keyType), { schema: def.valueType, path: [ANY_ELEMENT] }];
    case "union":
      return here(...def.options);
    case "intersection":
      return here(def.left, def.right);
    case "pipe":
      return here(side === "input" ? def.in : def.out);
    case "lazy":
      return here(def.getter());
    case "optional":
    case "nullable":
    case "nonoptional":
    case "default":
    case "prefault":
    case "catch":
    case "readonly":
      return here(def.innerType);
    default:
      return [];
  }
}
