import { textOfRows } from "../logic/row-texts.js";
import type { Statement } from "../sql-port.js";

/** Numbers of rows that one statement may have: few, as each is a text that is prepared and kept. */
const COUNTS = [64, 16, 8, 6, 5, 4, 3, 2];

/** The columns that say which row an upsert meets; they are the first of its row. */
const KEY = / ON CONFLICT \(([^)]+)\)/;

/**
 * The statements, with neighbours that write rows of one table as one: to the server each costs more than its row does.
 * A statement meets no row twice, which the server refuses.
 */
export function rowsTogether(statements: readonly Statement[]): Statement[] {
  const sent: Statement[] = [];
  for (let at = 0; at < statements.length; ) {
    const statement = statements[at] as Statement;
    const found = rowsFrom(statements, at);
    const count = COUNTS.find((wanted) => wanted <= found) ?? 1;
    if (count === 1) sent.push(statement);
    else {
      const params = statements.slice(at, at + count).flatMap((each) => each.params);
      sent.push({ sql: textOfRows(statement.sql, count), params });
    }
    at += count;
  }
  return sent;
}

/** How many of the statements from `from` on write different rows of one table. */
function rowsFrom(statements: readonly Statement[], from: number): number {
  const { sql, isRow } = statements[from] as Statement;
  if (isRow !== true || statements[from + 1]?.sql !== sql) return 1;
  const width = widthOfKey(sql);
  if (width === 0) return 1;
  const met = new Set<string>();
  let end = from;
  for (; end < statements.length && statements[end]?.sql === sql; end += 1) {
    if (width === undefined) continue;
    const key = JSON.stringify(statements[end]?.params.slice(0, width));
    if (met.has(key)) break;
    met.add(key);
  }
  return end - from;
}

/** Columns of an upsert's key; undefined for what only appends, 0 where the statement does not say. */
function widthOfKey(sql: string): number | undefined {
  if (!sql.includes(" ON CONFLICT")) return undefined;
  return KEY.exec(sql)?.[1]?.split(",").length ?? 0;
}
