import type { MemoryFact } from "../../model/memory.js";
import { type FactRow, factTable, vectorTable } from "../engine-tables/memory.js";
import type {
  FactAddress,
  FactFilter,
  FactVector,
  FactWrite,
  NearestSearch,
  NewVector,
  VectorPage,
} from "../memory-records.js";
import type { Query, SqlRow, SqlValue, Statement } from "../sql-port.js";
import { indexedWords } from "./memory-words.js";
import { anywhere, contains, upsertOf } from "./rows.js";

const written = factTable.pick(
  "namespace",
  "key",
  "valueJson",
  "schemaSig",
  "createdAtMs",
  "updatedAtMs",
  "expiresAtMs",
  "revision",
);

const AT = "namespace = ? AND key = ?";
/** Parameter: the present. */
const LIVE = "(f.expires_at_ms IS NULL OR f.expires_at_ms > ?)";
const SELECT = `SELECT ${factTable.names("f")} FROM _service_memory_facts f`;

const UPSERT = `INSERT INTO _service_memory_facts (${written.names()}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (namespace, key) DO UPDATE SET value_json = excluded.value_json, schema_sig = excluded.schema_sig,
    created_at_ms = CASE WHEN _service_memory_facts.expires_at_ms <= excluded.updated_at_ms
      THEN excluded.created_at_ms ELSE _service_memory_facts.created_at_ms END,
    updated_at_ms = excluded.updated_at_ms, expires_at_ms = excluded.expires_at_ms,
    revision = _service_memory_facts.revision + 1`;

/** The fact, and what it is found by. */
export function writeFact({ nowMs, ttlMs, ...fact }: FactWrite): Statement[] {
  const { namespace, key } = fact;
  const expiresAtMs = ttlMs === undefined ? null : nowMs + ttlMs;
  return [
    unindexFacts(AT, [namespace, key]),
    {
      sql: UPSERT,
      params: written.write({ ...fact, createdAtMs: nowMs, updatedAtMs: nowMs, expiresAtMs, revision: 1 }),
    },
    {
      sql: `INSERT INTO _service_memory_words (rowid, words) SELECT fact_no, ? FROM _service_memory_facts WHERE ${AT}`,
      params: [indexedWords(fact), namespace, key],
    },
  ];
}

export function getFact({ namespace, key }: FactAddress, nowMs: number): Query<MemoryFact | undefined> {
  return {
    sql: `${SELECT} WHERE ${AT} AND ${LIVE}`,
    params: [namespace, key, nowMs],
    read: (rows) => factTable.all(rows).map(toFact)[0],
  };
}

export function listFacts({ namespace, key, text, nowMs, limit, after }: FactFilter): Query<MemoryFact[]> {
  const conditions = [LIVE];
  const params: SqlValue[] = [nowMs];
  if (namespace !== undefined) {
    conditions.push("f.namespace = ?");
    params.push(namespace);
  }
  if (key !== undefined) {
    conditions.push("f.key = ?");
    params.push(key);
  }
  if (text !== undefined) {
    conditions.push(`(${contains("f.key")} OR ${contains("f.value_json")})`);
    params.push(anywhere(text), anywhere(text));
  }
  if (after !== undefined) {
    conditions.push("(f.namespace, f.key) > (?, ?)");
    params.push(after.namespace, after.key);
  }
  if (limit !== undefined) params.push(limit);
  return {
    sql: `${SELECT} WHERE ${conditions.join(" AND ")} ORDER BY f.namespace, f.key${limit === undefined ? "" : " LIMIT ?"}`,
    params,
    read: (rows) => factTable.all(rows).map(toFact),
  };
}

export function deleteFact({ namespace, key }: FactAddress): Statement[] {
  return deleteFacts(AT, [namespace, key]);
}

export function deleteExpiredFacts(nowMs: number): Statement[] {
  return deleteFacts("expires_at_ms <= ?", [nowMs]);
}

export function countExpiredFacts(nowMs: number): Query<number> {
  return {
    sql: "SELECT count(*) FROM _service_memory_facts WHERE expires_at_ms <= ?",
    params: [nowMs],
    read: (rows) => rows[0]?.[0] as number,
  };
}

function deleteFacts(where: string, params: readonly SqlValue[]): Statement[] {
  return [
    unindexFacts(where, params),
    {
      sql: `DELETE FROM _service_memory_vectors
        WHERE fact_no IN (SELECT fact_no FROM _service_memory_facts WHERE ${where})`,
      params,
    },
    { sql: `DELETE FROM _service_memory_facts WHERE ${where}`, params },
  ];
}

function unindexFacts(where: string, params: readonly SqlValue[]): Statement {
  return {
    sql: `DELETE FROM _service_memory_words
      WHERE rowid IN (SELECT fact_no FROM _service_memory_facts WHERE ${where})`,
    params,
  };
}

/** Facts as found under their numbers, for what else is known of them. */
export function readFacts(rows: readonly SqlRow[]): { factNo: number; fact: MemoryFact }[] {
  return factTable.all(rows).map((row) => ({ factNo: row.factNo, fact: toFact(row) }));
}

export const factColumns = factTable.names("f");
export const liveFact = LIVE;

/** A condition on the vector `v`. */
interface OfVector {
  sql: string;
  params: readonly SqlValue[];
}

const VECTORS = `SELECT ${factTable.names("f")}, ${vectorTable.names("v")} FROM _service_memory_facts f
  LEFT JOIN _service_memory_vectors v ON v.fact_no = f.fact_no AND v.model = ? AND v.revision = f.revision`;

/** @param those absent: all */
export function pageVectors(
  { namespace, model, nowMs, limit, afterKey }: VectorPage,
  those: OfVector = { sql: "TRUE", params: [] },
): Query<FactVector[]> {
  return {
    sql: `${VECTORS} WHERE f.namespace = ? AND f.key > ? AND ${LIVE} AND ${those.sql} ORDER BY f.key LIMIT ?`,
    params: [model, namespace, afterKey ?? "", nowMs, ...those.params, limit],
    read: readVectors,
  };
}

/** Those whose order comes first. */
export function firstVectors(
  { namespace, model, nowMs, limit }: Omit<NearestSearch, "question">,
  those: OfVector,
  order: OfVector,
): Query<FactVector[]> {
  return {
    sql: `${VECTORS} WHERE f.namespace = ? AND ${LIVE} AND ${those.sql} ORDER BY ${order.sql}, f.key LIMIT ?`,
    params: [model, namespace, nowMs, ...those.params, ...order.params, limit],
    read: readVectors,
  };
}

function readVectors(rows: readonly SqlRow[]): FactVector[] {
  return rows.map((values) => {
    const row = factTable.read(values);
    const known = { factNo: row.factNo, revision: row.revision, fact: toFact(row) };
    if (values[factTable.width] === null) return known;
    return { ...known, vector: vectorTable.read(values, { at: factTable.width }).vector };
  });
}

const VECTOR_UPSERT = upsertOf(vectorTable).replace(
  /VALUES \((.*?)\)/,
  "SELECT $1 WHERE EXISTS (SELECT 1 FROM _service_memory_facts WHERE fact_no = ? AND revision = ?)",
);

export function keepVector({ factNo, revision, model, vector }: NewVector): Statement {
  return {
    sql: VECTOR_UPSERT,
    params: [...vectorTable.write({ factNo, model, revision, vector }), factNo, revision],
  };
}

function toFact({ factNo: _no, revision: _revision, expiresAtMs, ...fact }: FactRow): MemoryFact {
  return expiresAtMs === null ? fact : { ...fact, ttlMs: expiresAtMs - fact.updatedAtMs };
}
