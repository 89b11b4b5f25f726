/**
 * A text of Postgres has no NUL. It is kept as two characters that begin with one which, where a text has it
 * already, is doubled in the same way: every text comes back as it was. Half a surrogate pair, which UTF-8 does
 * not have, becomes U+FFFD before it is sent: PGlite would count its bytes wrongly and cut off the text's end.
 */
const ESCAPE = "\u0001";

/** Of ES2024, which Node 20 has: costs nothing for the usual text. */
type Text = string & { toWellFormed(): string };

export function storedText(given: string): string {
  const text = (given as Text).toWellFormed();
  if (!text.includes("\0") && !text.includes(ESCAPE)) return text;
  return text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll("\0", `${ESCAPE}0`);
}

export function textOfStored(stored: string): string {
  if (!stored.includes(ESCAPE)) return stored;
  return stored.replaceAll(`${ESCAPE}0`, "\0").replaceAll(`${ESCAPE}1`, ESCAPE);
}
