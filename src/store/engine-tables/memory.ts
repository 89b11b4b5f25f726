import type { MemoryMessage, MemoryThread } from "../../model/memory.js";
import {
  type Column,
  count,
  instant,
  jsonAsText,
  Mismatch,
  NO_NULL,
  nullable,
  optional,
  text,
} from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import { shown } from "../columns/shape.js";
import type { SqlValue } from "../sql-port.js";

export interface FactRow {
  /** The number that its vectors and its entry in the index are kept under. */
  factNo: number;
  namespace: string;
  key: string;
  valueJson: string;
  schemaSig?: string;
  createdAtMs: number;
  updatedAtMs: number;
  /** Epoch ms from which on it is not read; null = never. */
  expiresAtMs: number | null;
  /** Counts its writes: a vector is of one of them. */
  revision: number;
}

export const factTable = new RowTable<FactRow>({
  name: "_service_memory_facts",
  key: ["factNo"],
  ofRun: false,
  storage: {
    serial: "fact_no",
    unique: ["namespace", "key"],
    indexes: { by_end: { on: ["expires_at_ms"], where: "expires_at_ms IS NOT NULL" } },
  },
  columns: {
    factNo: count("fact_no"),
    namespace: text("namespace"),
    key: text("key"),
    valueJson: jsonAsText("value_json"),
    schemaSig: optional(text("schema_sig")),
    createdAtMs: instant("created_at_ms"),
    updatedAtMs: instant("updated_at_ms"),
    expiresAtMs: nullable(instant("expires_at_ms")),
    revision: count("revision"),
  },
});

export interface VectorRow {
  factNo: number;
  model: string;
  revision: number;
  vector: Float32Array;
}

/** Four bytes for each number, the lowest first, in base64. */
function vector(name: string): Column<Float32Array> {
  return {
    name,
    sqlType: "TEXT",
    nullIs: NO_NULL,
    write: (value) => Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64"),
    read(value: SqlValue) {
      const bytes = Buffer.from(typeof value === "string" ? value : "", "base64");
      // A pooled buffer may begin where no number may.
      const numbers = new Float32Array(new Uint8Array(bytes.subarray(0, bytes.length & ~3)).buffer);
      let sum = 0;
      for (const number of numbers) sum += number;
      // It is finite if all of them are.
      if (bytes.length > 0 && bytes.length % 4 === 0 && Number.isFinite(sum)) return numbers;
      throw new Mismatch(`holds ${shown(value)} instead of a vector`);
    },
  };
}

export const vectorTable = new RowTable<VectorRow>({
  name: "_service_memory_vectors",
  key: ["factNo", "model"],
  ofRun: false,
  columns: {
    factNo: count("fact_no"),
    model: text("model"),
    revision: count("revision"),
    vector: vector("vector"),
  },
});

export const threadTable = new RowTable<MemoryThread>({
  name: "_service_memory_threads",
  key: ["threadId"],
  ofRun: false,
  storage: { isCompact: true },
  columns: {
    threadId: text("thread_id"),
    namespace: text("namespace"),
    title: optional(text("title")),
    metadataJson: optional(jsonAsText("metadata_json")),
    createdAtMs: instant("created_at_ms"),
    updatedAtMs: instant("updated_at_ms"),
  },
});

export interface MessageRow extends MemoryMessage {
  /** Orders messages of one moment. */
  messageNo: number;
}

export const messageTable = new RowTable<MessageRow>({
  name: "_service_memory_messages",
  key: ["messageNo"],
  ofRun: false,
  storage: {
    serial: "message_no",
    unique: ["id"],
    indexes: { by_time: { on: ["thread_id", "created_at_ms", "message_no"] } },
  },
  columns: {
    messageNo: count("message_no"),
    id: text("id"),
    threadId: text("thread_id"),
    role: text("role"),
    contentJson: jsonAsText("content_json"),
    runId: optional(text("run_id")),
    nodeId: optional(text("node_id")),
    createdAtMs: instant("created_at_ms"),
  },
});
