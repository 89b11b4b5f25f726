import { ServiceError } from "../../errors/service-error.js";
import type { Ask, SqlValue, Statement, Work } from "../sql-port.js";
import { rowsAtOnce, textOfRows } from "./row-texts.js";
import { read } from "./work.js";

/** The statements, as part of the transaction that is open. */
export function* runAll(statements: readonly Statement[]): Work<void> {
  for (let at = 0; at < statements.length; ) {
    const statement = statements[at] as Statement;
    const end = statement.isRow === true ? endOfRows(statements, at) : at + 1;
    const changes = (yield end === at + 1 ? touch(statement) : insert(statements, at, end)) as number;
    if (!isExpected(statement, changes)) throw yield* missed(statement, changes);
    at = end;
  }
}

/** Runs a statement as part of the transaction that is open; answers with the number of rows that it has touched. */
export function touch({ sql, params }: Pick<Statement, "sql" | "params">): Ask {
  return (port) => port.run(sql, params);
}

export function isExpected({ expectRows }: Statement, changes: number): boolean {
  return expectRows === undefined || changes === expectRows;
}

/** The error of a statement that touched another number of rows than it expects. */
export function* missed({ sql, expectRows, onMiss }: Statement, changes?: number): Work<Error> {
  const reason =
    onMiss?.() ??
    new ServiceError(
      "DB_WRITE_FAILED",
      `A statement touched ${changes ?? "another number of"} rows instead of ${expectRows}: ${sql}`,
    );
  return reason instanceof Error ? reason : yield* read(reason);
}

/** Where the rows end that one statement writes: from `at` on, of one text. */
function endOfRows(statements: readonly Statement[], at: number): number {
  const { sql, params } = statements[at] as Statement;
  let end = at + 1;
  while (end < statements.length && statements[end]?.sql === sql) end += 1;
  return at + rowsAtOnce(end - at, params.length);
}

function insert(statements: readonly Statement[], from: number, to: number): Ask {
  const lists: (readonly SqlValue[])[] = [];
  for (let at = from; at < to; at += 1) lists.push((statements[at] as Statement).params);
  const text = textOfRows((statements[from] as Statement).sql, to - from);
  return (port) => port.run(text, ...lists);
}
