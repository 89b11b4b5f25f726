/**
 * Numbers of rows that one statement may have: few, as each is a text that is prepared and kept.
 * A handful of rows costs one by one what it costs at once.
 */
const COUNTS = [64, 32, 16, 8];
const FEWEST = 8;

/** What SQLite takes in one statement. */
const MOST_PARAMETERS = 32_766;

/** How many of `left` rows of `width` parameters the next statement writes. */
export function rowsAtOnce(left: number, width: number): number {
  if (left < FEWEST) return 1;
  return COUNTS.find((count) => count <= left && count * width <= MOST_PARAMETERS) ?? 1;
}

/** The row of a text that writes one. */
const ROW = / VALUES (\([?, ]+\))/;

/** Texts that write several rows, made of those that write one. */
export class RowTexts {
  readonly #texts = new Map<string, string[]>();

  of(sql: string, count: number): string {
    let ofRow = this.#texts.get(sql);
    if (ofRow === undefined) {
      ofRow = [];
      this.#texts.set(sql, ofRow);
    }
    ofRow[count] ??= sql.replace(ROW, (_text, row: string) => ` VALUES ${Array(count).fill(row).join(", ")}`);
    return ofRow[count];
  }
}
