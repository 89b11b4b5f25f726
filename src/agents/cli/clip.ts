import { shorten } from "../../util/bounded-text.js";

/** Longest text that one event carries, in characters. */
export const LONGEST_TEXT = 16_384;
/** Longest JSON of a tool's input that one event carries, in characters. */
const LONGEST_DETAIL = 4_096;

/** A tool's input as the detail of an action: as it is when it is small, else the beginning of its JSON. */
export function clipDetail(input: unknown): Record<string, unknown> | undefined {
  if (input === undefined || input === null) return undefined;
  const json = JSON.stringify(input) ?? "";
  return json.length > LONGEST_DETAIL ? { inputPreview: shorten(json, LONGEST_DETAIL) } : { input };
}
