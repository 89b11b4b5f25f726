import { textOfRows } from "../logic/row-texts.js";
import type { Statement } from "../sql-port.js";

/** Numbers of rows that one statement may have: few, as each is a text that is prepared and kept. */
const COUNTS = [64, 16, 4, 2];

/**
 * The statements, with neighbours that append to one table as one: to the server each costs more than its row does.
 * Upserts stay as they are, since the server refuses one that meets a row twice.
 */
export function appendsAtOnce(statements: readonly Statement[]): Statement[] {
  const sent: Statement[] = [];
  for (let at = 0; at < statements.length; ) {
    const statement = statements[at] as Statement;
    const count = COUNTS.find((wanted) => wanted <= appendsFrom(statements, at)) ?? 1;
    if (count === 1) sent.push(statement);
    else {
      const params = statements.slice(at, at + count).flatMap((each) => each.params);
      sent.push({ sql: textOfRows(statement.sql, count), params });
    }
    at += count;
  }
  return sent;
}

function appendsFrom(statements: readonly Statement[], from: number): number {
  const { sql, isRow } = statements[from] as Statement;
  if (isRow !== true || sql.includes(" ON CONFLICT")) return 1;
  let end = from + 1;
  while (end < statements.length && statements[end]?.sql === sql) end += 1;
  return end - from;
}
