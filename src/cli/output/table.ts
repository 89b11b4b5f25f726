import { cellWidth } from "./cell-width.js";
import { withoutStyles } from "./styles.js";
import { visibleLine, visibleText } from "./visible-text.js";

/** Rows as aligned columns with a header; the last column is not padded. Empty for no rows. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const all = [header, ...rows].map((row) => row.map(visibleLine));
  const widths = header.map((_, column) => Math.max(...all.map((row) => visibleWidth(row[column] ?? ""))));
  return all
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : padEnd(cell, widths[column] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Columns of a terminal: styles take no room, hidden characters that of their names, Chinese ones and emoji two. */
export function visibleWidth(text: string): number {
  return cellWidth(withoutStyles(visibleText(text)));
}

/** A line of a picture: one that would wrap would break it, so it is cut, and with it its colours. */
export function fitLine(text: string, width: number): string {
  const line = visibleLine(text);
  if (visibleWidth(line) <= width) return line;
  return cut(withoutStyles(line), width);
}

/** Text on one line of at most `width` columns. */
export function oneLine(text: string, width: number): string {
  const flat = visibleText(withoutStyles(text).replaceAll(/\s+/g, " ").trim());
  return visibleWidth(flat) <= width ? flat : cut(flat, width);
}

/** As many whole characters as fit before the sign that there are more. */
function cut(text: string, width: number): string {
  let kept = "";
  let room = width - 1;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    room -= cellWidth(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}

function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - visibleWidth(text)));
}
