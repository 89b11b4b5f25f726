import type { CacheRow } from "../contract.js";
import type { Query, SqlRow, Statement } from "../sql-port.js";
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
    cacheKey: row[0] as string,
    outputKey: row[1] as string,
    signature: row[2] as string,
    columns: JSON.parse(row[3] as string) as unknown[],
    workflowName: row[4] as string,
    nodeId: row[5] as string,
    createdAtMs: row[6] as number,
    expiresAtMs: row[7] as number | null,
  };
}
