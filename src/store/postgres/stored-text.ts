/**
 * A text of Postgres has no NUL. It is kept as two characters that begin with one which, where a text has it
 * already, is doubled in the same way: every text comes back as it was.
 */
const ESCAPE = "\u0001";

export function storedText(text: string): string {
  if (!text.includes("\0") && !text.includes(ESCAPE)) return text;
  return text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll("\0", `${ESCAPE}0`);
}

export function textOfStored(stored: string): string {
  if (!stored.includes(ESCAPE)) return stored;
  return stored.replaceAll(`${ESCAPE}0`, "\0").replaceAll(`${ESCAPE}1`, ESCAPE);
}
