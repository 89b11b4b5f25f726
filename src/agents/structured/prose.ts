import { z } from "zod";

/**
 * The key of an output that is made of one text without a pattern, such as `z.object({ summary: z.string() })`:
 * such an answer is asked for as prose and taken as it stands. Undefined for every other output.
 */
export function proseKey(schema: z.ZodType): string | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const [field, ...others] = Object.entries(schema.shape as Record<string, z.ZodType>);
  if (field === undefined || others.length > 0) return undefined;
  const [key, type] = field;
  if (!(type instanceof z.ZodString) || type.format !== null) return undefined;
  return key;
}

const FENCE_OR_BRACKET = /^(?:[{[]|`{3}|~{3})|(?:[}\]]|`{3}|~{3})$/;

/** Whether a text is meant as JSON: it begins or ends with it. Prose may quote JSON in between. */
export function looksLikeJson(text: string): boolean {
  return FENCE_OR_BRACKET.test(text.trim());
}
