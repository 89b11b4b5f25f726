/**
 * Characters that a reader does not see or that change how others are seen: controls (C0, C1, DEL),
 * bidi marks and overrides, zero-width and other default-ignorable characters, line and paragraph
 * separators, lone surrogates. Line feed and tab are left to the layout of the text.
 */
const HIDDEN =
  "(?![\\n\\t\\uFE0E\\uFE0F])[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]";

/** Joins the parts of one emoji: hides nothing between two pictures. */
const EMOJI_JOINER =
  "(?<=\\p{Extended_Pictographic}[\\u{1F3FB}-\\u{1F3FF}\\uFE0F]?)\\u200D(?=\\p{Extended_Pictographic})";

const HIDDEN_OUTSIDE_EMOJI = new RegExp(`(?!${EMOJI_JOINER})${HIDDEN}`, "gu");

/** `text` with each hidden character replaced. */
export function replaceHidden(text: string, replacement: (character: string) => string): string {
  return text.replace(HIDDEN_OUTSIDE_EMOJI, replacement);
}

export function hasHidden(text: string): boolean {
  return text.search(HIDDEN_OUTSIDE_EMOJI) >= 0;
}

/** Its name as source code writes it: `\x1b`, `\u202e`, `\u{e0041}`. */
export function hiddenName(character: string): string {
  const code = character.codePointAt(0) as number;
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\u{${hex}}`;
}
