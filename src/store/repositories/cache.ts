import type { CacheRow } from "../contract.js";
import { cacheTable } from "../engine-tables/usage.js";
import type { Query, Statement } from "../sql-port.js";
import { upsertOf } from "./rows.js";

const UPSERT = upsertOf(cacheTable);

export function upsertCache(row: CacheRow): Statement {
  return { sql: UPSERT, params: cacheTable.write(row) };
}

/** Deletes rows that may not be used any more. */
export function deleteExpiredCache(nowMs: number): Statement {
  return { sql: "DELETE FROM _service_cache WHERE expires_at_ms <= ?", params: [nowMs] };
}

export function getCache(cacheKey: string): Query<CacheRow | undefined> {
  return {
    sql: `SELECT ${cacheTable.names()} FROM _service_cache WHERE cache_key = ?`,
    params: [cacheKey],
    read: (rows) => cacheTable.first(rows),
  };
}
