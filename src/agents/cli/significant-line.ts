/** As most tools name what ended them; below it may stand a stack, a version or the path of a log. */
const NAMED = /^\s*(?:\w*Error|error|fatal)\b.*:/;

/** The line of what a tool wrote that tells the most: the last that names an error, else the last. */
export function significantLine(text: string): string | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const at = lines.findLastIndex((line) => NAMED.test(line));
  const named = lines[at];
  if (named === undefined) return lines.at(-1);
  const next = lines[at + 1];
  return named.endsWith(":") && next !== undefined ? `${named} ${next.trim()}` : named;
}
