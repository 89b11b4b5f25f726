import type { CacheRow } from "../contract.js";
import { cacheTable } from "../engine-tables/usage.js";
import type { Query, Statement } from "../sql-port.js";
import { upsertOf } from "./rows.js";

const UPSERT = upsertOf(cacheTable);

export function upsertCache(row: CacheRow): Statement {
  return { sql: UPSERT, params: cacheTable.write(row) };
}

export function getCache(cacheKey: string): Query<CacheRow | undefined> {
  return {
    sql: `SELECT ${cacheTable.names()} FROM _service_cache WHERE cache_key = ?`,
    params: [cacheKey],
    read: (rows) => cacheTable.first(rows),
  };
}
