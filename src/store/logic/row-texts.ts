/**
 * Numbers of rows that one statement may have: few, as each is a text that is prepared and kept.
 * A handful of rows costs one by one what it costs at once.
 */
const COUNTS = [64, 32, 16, 8];
const FEWEST = 8;

/** Parameters that SQLite takes in one statement, the least of the databases. */
const MOST_PARAMETERS = 32_766;

/** How many of `left` rows of `width` parameters the next statement writes. */
export function rowsAtOnce(left: number, width: number): number {
  if (left < FEWEST) return 1;
  return COUNTS.find((count) => count <= left && count * width <= MOST_PARAMETERS) ?? 1;
}

/** The row of a text that writes one. */
const ROW = / VALUES (\([?, ]+\))/;

/** The text that writes several rows, made of the one that writes one. */
export function textOfRows(sql: string, count: number): string {
  if (count === 1) return sql;
  return sql.replace(ROW, (_text, row: string) => ` VALUES ${Array(count).fill(row).join(", ")}`);
}
