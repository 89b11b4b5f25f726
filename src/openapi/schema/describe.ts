import { asText } from "../spec.js";

/** Longest description that is shown to a model, in characters. */
const LONGEST_DESCRIPTION = 1_000;

/**
 * The text a model reads about a schema, `facts` included. A default is described,
 * not filled in: in a partial update a default that the caller did not choose would
 * overwrite what is stored.
 */
export function describeSchema(
  schema: Record<string, unknown>,
  facts: readonly string[] = [],
): string | undefined {
  const text = asText(schema["description"]);
  const preset = schema["default"];
  const parts = [
    schema["deprecated"] === true ? "Deprecated." : undefined,
    text === undefined ? undefined : withinLength(text),
    ...facts,
    preset === undefined || preset === null ? undefined : `Default: ${withinLength(JSON.stringify(preset))}.`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(" ");
}

/** At most `longest` characters, cut with an ellipsis. */
export function withinLength(text: string, longest = LONGEST_DESCRIPTION): string {
  const trimmed = text.trim();
  return trimmed.length <= longest ? trimmed : `${trimmed.slice(0, longest - 1).trimEnd()}…`;
}
