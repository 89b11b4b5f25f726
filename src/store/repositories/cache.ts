import type { CacheRow } from "../contract.js";
import type { Query, SqlRow, Statement } from "../sql-port.js";
import { instant, list, orNull, text } from "./cells.js";
import { first, upsertSql } from "./rows.js";

const FIELDS = [
  "output_key",
  "signature",
  "columns_json",
  "workflow_name",
  "node_id",
  "created_at_ms",
  "expires_at_ms",
];

const UPSERT = upsertSql("_service_cache", ["cache_key"], FIELDS);

export function upsertCache(row: CacheRow): Statement {
  return {
    sql: UPSERT,
    params: [
      row.cacheKey,
      row.outputKey,
      row.signature,
      JSON.stringify(row.columns),
      row.workflowName,
      row.nodeId,
      row.createdAtMs,
      row.expiresAtMs,
    ],
  };
}

export function getCache(cacheKey: string): Query<CacheRow | undefined> {
  return {
    sql: `SELECT cache_key, ${FIELDS.join(", ")} FROM _service_cache WHERE cache_key = ?`,
    params: [cacheKey],
    read: first("_service_cache", toCache),
  };
}

function toCache(row: SqlRow): CacheRow {
  return {
    cacheKey: text(row[0]),
    outputKey: text(row[1]),
    signature: text(row[2]),
    columns: list(row[3]),
    workflowName: text(row[4]),
    nodeId: text(row[5]),
    createdAtMs: instant(row[6]),
    expiresAtMs: orNull(instant, row[7]),
  };
}
