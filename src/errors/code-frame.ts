export interface CodePlace {
  /** From 1. */
  line: number;
  /** From 1, in characters. @default none is pointed at */
  column?: number | undefined;
}

/** Lines shown before and after the one in question. */
const AROUND = 2;
/** Of one line, in characters: generated code has lines without end. */
const LONGEST_LINE = 160;

/**
 * The lines around a place of a source text, numbered, with a mark at the line and
 * one below the column. Empty when the text has no such line.
 *
 *     1 | const fine = 1;
 *   > 2 | export default <Task;
 *       |                     ^
 */
export function codeFrame(text: string, { line, column }: CodePlace): string {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  // A text usually ends with a line break; the empty line behind it counts when something is missing there.
  if (lines.at(-1) === "" && line < lines.length) lines.pop();
  if (lines[line - 1] === undefined) return "";
  const first = Math.max(1, line - AROUND);
  const last = Math.min(lines.length, line + AROUND);
  const width = String(last).length;
  const cut = Math.max(0, (column ?? 1) - LONGEST_LINE / 2);
  const frame: string[] = [];
  for (let number = first; number <= last; number += 1) {
    const mark = number === line ? ">" : " ";
    const code = shorten(lines[number - 1] as string, cut);
    frame.push(`${mark} ${String(number).padStart(width)} | ${code}`.trimEnd());
    if (number === line && column !== undefined) {
      frame.push(`  ${" ".repeat(width)} | ${indentTo(code, column - cut)}^`);
    }
  }
  return frame.join("\n");
}

function shorten(code: string, cut: number): string {
  return code.slice(cut, cut + LONGEST_LINE);
}

/** White space as wide as what stands before a column: tabs stay tabs. */
function indentTo(code: string, column: number): string {
  return [...code.slice(0, column - 1)].map((char) => (char === "\t" ? "\t" : " ")).join("");
}
