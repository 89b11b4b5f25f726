import { createRequire } from "node:module";
import { once } from "../../util/once.js";
import { outsideStyles, withoutStyles } from "./styles.js";
import { visibleLine, visibleText } from "./visible-text.js";

const GAP = "  ";

export interface TableFit {
  /** Columns that a line may take; Infinity where nothing is cut. */
  width: number;
  /** Headers of columns that are cut last: names that people type into the next command. */
  names?: readonly string[];
  /** The last column says what to do: it is broken into lines instead of cut. @default false */
  breaksLast?: boolean;
}

/** Rows as aligned columns with a header, none wider than there is room for. Empty for no rows. */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { width, names = [], breaksLast = false }: TableFit,
): string {
  if (rows.length === 0) return "";
  const all = [header, ...rows].map((row) => row.map(visibleLine));
  const columns = header.map((title, column) => ({
    natural: Math.max(...all.map((row) => visibleWidth(row[column] ?? ""))),
    isName: names.includes(withoutStyles(title).trim()),
  }));
  // Columns at the end that have nothing to say take no room.
  const last = columns.findLastIndex(({ natural }) => natural > 0);
  const widths = columnWidths(columns.slice(0, last + 1), width - GAP.length * last);
  const indent = widths.slice(0, last).reduce((sum, each) => sum + each + GAP.length, 0);
  const lines = all.map((row) =>
    widths
      .map((room, column) => {
        const cell = row[column] ?? "";
        if (column === last && breaksLast) return breakText(cell, room, indent);
        return padEnd(fitLine(cell, room), room);
      })
      .join(GAP)
      .trimEnd(),
  );
  return lines.map((line) => (breaksLast ? line : fitLine(line, width))).join("\n");
}

/** Columns of a terminal: styles take no room, hidden characters that of their names, Chinese ones and emoji two. */
export function visibleWidth(text: string): number {
  return cellWidth(withoutStyles(visibleText(text)));
}

/** A line that would wrap is cut: it would break the picture or the table that it is part of. */
export function fitLine(text: string, width: number): string {
  const line = visibleLine(text);
  return visibleWidth(line) <= width ? line : cut(line, width);
}

/** Text on one line of at most `width` columns. */
export function oneLine(text: string, width: number): string {
  const flat = visibleText(withoutStyles(text).replaceAll(/\s+/g, " ").trim());
  return visibleWidth(flat) <= width ? flat : cut(flat, width);
}

/** As many whole characters as fit before the sign that there are more. */
function cut(text: string, width: number): string {
  let room = width - 1;
  const kept = outsideStyles(text, (plain) => {
    let part = "";
    for (const { segment } of new Intl.Segmenter().segment(plain)) {
      if (room < 0) break;
      room -= cellWidth(segment);
      if (room >= 0) part += segment;
    }
    return part;
  });
  return `${kept}…`;
}

/** A text in lines of at most `width`, but for words that are longer; those after the first are indented. */
function breakText(text: string, width: number, indent: number): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const joined = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && visibleWidth(joined) <= width) lines.splice(-1, 1, joined);
    else lines.push(word);
  }
  return lines.join(`\n${" ".repeat(indent)}`);
}

function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - visibleWidth(text)));
}

const PLAIN = /^[\x20-\x7e]*$/;

/** The package that measures more than plain letters takes 30 ms to load. */
const measure = once(
  () => (createRequire(import.meta.url)("string-width") as typeof import("string-width")).default,
);

/** Columns that a text takes on a terminal. */
function cellWidth(text: string): number {
  return PLAIN.test(text) ? text.length : measure()(text);
}

/** A column that is cut to less says nothing any more. */
const LEAST = 6;

interface ColumnNeed {
  /** Its widest cell. */
  natural: number;
  /** It is cut only where the others have nothing left to give. */
  isName: boolean;
}

/** The widths of columns that share `room`: the widest one gives first. */
function columnWidths(columns: readonly ColumnNeed[], room: number): number[] {
  const widths = columns.map(({ natural }) => Math.min(natural, Math.max(room, LEAST)));
  for (const givesNames of [false, true]) {
    let excess = widths.reduce((sum, width) => sum + width, 0) - room;
    while (excess > 0) {
      const widest = Math.max(...widths.filter((_, index) => columns[index]?.isName === givesNames));
      if (widest <= LEAST) break;
      const index = widths.findIndex((width, at) => width === widest && columns[at]?.isName === givesNames);
      widths[index] = widest - 1;
      excess--;
    }
  }
  return widths;
}
