import { hasHidden, replaceHidden } from "./hidden-characters.js";

/**
 * A word for a POSIX shell, quoted only where it has to be. A word with line breaks or hidden
 * characters is spelled in `$'…'`, so that it stays one visible line and still means the same.
 */
export function shellWord(word: string): string {
  if (/^[\w./:@%+,-][\w./:@%+=,-]*$/.test(word)) return word;
  if (!/[\n\t]/.test(word) && !hasHidden(word)) return `'${word.replaceAll("'", `'\\''`)}'`;
  const plain = word.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return `$'${replaceHidden(plain, asBytes)}'`;
}

/** Bytes, since not every shell that knows `$'…'` knows `\u`. Three octal digits end by themselves. */
function asBytes(character: string): string {
  return [...Buffer.from(character, "utf8")].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}
