import { crc32 } from "node:zlib";
import { ServiceError } from "../../errors/service-error.js";
import type { SqlValue } from "../sql-port.js";

/** Column of every generated table. NULL in rows that are older than it, or that were changed by hand. */
export const CHECKSUM_COLUMN = "_checksum";

/**
 * The checksum of a row's values and address, so that a damaged page is not read
 * as data. NULLs and the order of columns do not count: a row keeps its checksum
 * when its table gets another column.
 */
export class RowChecksum {
  /** Positions of the columns in order of their names, each with what stands for its name. */
  readonly #order: readonly [position: number, name: string][];

  constructor(columns: readonly string[]) {
    this.#order = columns
      .map((column, position): [number, string] => [position, `\0${column}=`])
      .sort(([, a], [, b]) => (a < b ? -1 : 1));
  }

  /** `offset` is the position of the first column among the values. */
  of(address: string, values: readonly unknown[], offset = 0): number {
    let text = address;
    for (const [position, name] of this.#order) {
      const value = values[position + offset] as SqlValue;
      if (value === null) continue;
      text += typeof value === "string" ? `${name}${value.length}:${value}` : `${name}#${value}`;
    }
    return crc32(text);
  }

  /** @throws STORAGE_ERROR for a row whose checksum is another one */
  check(stored: unknown, row: CheckedRow, offset: number): void {
    if (stored === null || stored === this.of(row.address, row.values, offset)) return;
    const { tableName: table, runId } = row;
    const key = row.address.split("\0").join(", ");
    throw new ServiceError(
      "STORAGE_ERROR",
      `Row ${key} of run "${runId}" in table ${table} is damaged: its values do not add up to its checksum.`,
      { retryable: false, details: { table, row: key, column: CHECKSUM_COLUMN, runId } },
    );
  }
}

export interface CheckedRow {
  tableName: string;
  runId: string;
  /** The key of the row, as one text. */
  address: string;
  values: readonly unknown[];
}

/** The key of a row as one text. */
export function addressText(...key: readonly unknown[]): string {
  return key.join("\0");
}
