import type { ZodObject } from "zod";
import type { OutputRow } from "../model/schema.js";

/** One generated table. */
export interface OutputTableInfo {
  outputKey: string;
  /** SQL name. */
  tableName: string;
  columns: { field: string; column: string; kind: string }[];
}

/** Rows of one generated table: zod value to columns and back. */
export interface RowCodec {
  readonly outputKey: string;
  /** SQL name, snake_case of the key. */
  readonly tableName: string;
  readonly schema: ZodObject;
  /**
   * Column values in table order. @throws INVALID_OUTPUT naming the path of a
   * value that cannot be stored (a Map, a class instance, a function …).
   */
  encode(row: Record<string, unknown>): unknown[];
  /** The row as readers get it: `decode(encode(row))` is what ctx returns, live and after a restart. */
  decode(
    columns: readonly unknown[],
    address: { runId: string; nodeId: string; iteration: number },
  ): OutputRow;
  /** Hash of the columns and the schema; part of cache keys and fingerprints. */
  readonly signature: string;
}
