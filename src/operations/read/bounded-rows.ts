import type { Awaitable } from "../../util/awaitable.js";

/** Characters of JSON that a page of rows may have; a single row may have more. */
export const LARGEST_ANSWER = 4 * 1024 * 1024;

/** Rows that are read at first. Rows may be of any size: more are read at once where those were small. */
const FIRST = 16;

/** As many rows as make a page, and whether there are more. */
export interface BoundedRows<Row> {
  rows: Row[];
  hasMore: boolean;
}

/**
 * A page of at most `limit` rows and `largest` characters, without ever holding many more.
 * @param read the next rows after this one, `most` of them; fewer are the last
 */
export async function boundedRows<Row>(
  read: (after: Row | undefined, most: number) => Awaitable<readonly Row[]>,
  { limit, largest = LARGEST_ANSWER }: { limit: number; largest?: number },
): Promise<BoundedRows<Row>> {
  const rows: Row[] = [];
  let size = 0;
  for (let most = FIRST; ; most *= 4) {
    // One more than is wanted tells whether there are more.
    const asked = Math.min(most, limit - rows.length + 1);
    const found = await read(rows.at(-1), asked);
    for (const row of found) {
      size += lengthOf(row);
      if (rows.length === limit || (rows.length > 0 && size > largest)) return { rows, hasMore: true };
      rows.push(row);
    }
    if (found.length < asked) return { rows, hasMore: false };
    // The next ones may be as large as these.
    if (size > largest / 4) most = Math.max(1, FIRST / 4);
  }
}

function lengthOf(row: unknown): number {
  return JSON.stringify(row, (_name, value: unknown) => (typeof value === "bigint" ? String(value) : value))
    .length;
}
