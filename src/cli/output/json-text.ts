import { replaceHidden } from "../../util/hidden-characters.js";

/** A value as JSON that is safe to look at: hidden characters are spelled `\u202e`, and mean the same. */
export function jsonText(value: unknown, { indent = 2 }: { indent?: number } = {}): string {
  return escapeHidden(JSON.stringify(value, null, indent));
}

/** JSON, or YAML between double quotes, with hidden characters as its escapes. */
export function escapeHidden(text: string): string {
  return replaceHidden(text, asEscapes);
}

/** One document of a stream, on one line. */
export function jsonLine(value: unknown): string {
  return jsonText(value, { indent: 0 });
}

function asEscapes(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
