import type { SqlValue, Statement } from "../sql-port.js";
import type { SentStatement } from "./driver.js";
import { storedText } from "./stored-text.js";

const known = new Map<string, string>();
/** Texts with lists of any length are not kept for ever. */
const MOST_KNOWN = 5_000;

export function toSent(sql: string, params: readonly SqlValue[]): SentStatement {
  return { text: numbered(sql), values: params.map(toSentValue) };
}

/** A statement that has `$1` already. */
export function asSent(text: string, params: readonly SqlValue[]): SentStatement {
  return { text, values: params.map(toSentValue) };
}

/** As `toSent`; with `expectRows`, the statement fails where it touches another number of rows. */
export function toGuarded({ sql, params, expectRows }: Statement): SentStatement {
  if (expectRows === undefined) return toSent(sql, params);
  // A division by zero: the server itself then undoes the transaction, without being asked for the number first.
  const text = `WITH done AS (${sql} RETURNING 1)
    SELECT 1 / (CASE WHEN (SELECT count(*) FROM done) = ${expectRows} THEN 1 ELSE 0 END)`;
  return toSent(text, params);
}

function toSentValue(value: SqlValue): string | number | null {
  return typeof value === "string" ? storedText(value) : value;
}

/** `?` outside of quotes becomes `$1`, `$2` … */
function numbered(sql: string): string {
  const found = known.get(sql);
  if (found !== undefined) return found;
  let count = 0;
  const text = sql.replace(/'[^']*'|"[^"]*"|\?/g, (part) => {
    if (part !== "?") return part;
    count += 1;
    return `$${count}`;
  });
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(sql, text);
  return text;
}
