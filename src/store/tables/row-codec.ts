import type { OutputRow, RowAddress } from "../../model/schema.js";
import { Mismatch } from "../columns/column.js";
import type { SqlValue } from "../sql-port.js";
import {
  type ColumnDecoder,
  type ColumnEncoder,
  type ColumnEncoding,
  type ColumnSpec,
  columnDecoder,
  columnEncoder,
  nullMeansNull,
} from "./column.js";

/** Reads the values of one row back into an object, given its column layout. */
export class RowReader {
  readonly #columns: readonly ColumnSpec[];
  readonly #decoders: readonly ColumnDecoder[];

  constructor(columns: readonly ColumnSpec[]) {
    this.#columns = columns;
    this.#decoders = columns.map((column) => columnDecoder(column.kind));
  }

  /** `offset` is the position of the first field among the values. */
  read(values: readonly unknown[], offset = 0): Record<string, unknown> {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < this.#columns.length; index += 1) {
      const column = this.#columns[index] as ColumnSpec;
      const value = values[index + offset] as SqlValue;
      if (value === null) {
        if (nullMeansNull(column)) row[column.field] = null;
      } else {
        const decoded = this.#decode(index, value);
        if (column.kind === "extra") addMembers(row, decoded as object);
        else row[column.field] = decoded;
      }
    }
    return row;
  }

  #decode(index: number, value: SqlValue): unknown {
    try {
      return (this.#decoders[index] as ColumnDecoder)(value);
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      throw new ColumnMismatch((this.#columns[index] as ColumnSpec).column, error.problem);
    }
  }
}

/** As {@link Mismatch}, of a known column. */
export class ColumnMismatch extends Mismatch {
  readonly column: string;

  constructor(column: string, problem: string) {
    super(problem);
    this.column = column;
  }
}

/** A member named `__proto__` is one like the others. */
function addMembers(row: Record<string, unknown>, members: object): void {
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(row, name, { value, writable: true, enumerable: true, configurable: true });
  }
}

const ADDRESS: ReadonlySet<string> = new Set(["runId", "nodeId", "iteration"] satisfies (keyof RowAddress)[]);

/** Turns an object into the values of one row. */
export class RowWriter {
  readonly #columns: readonly ColumnSpec[];
  readonly #encoders: readonly ColumnEncoder[];
  readonly #fields: ReadonlySet<string>;

  constructor(columns: readonly ColumnSpec[], encoding: ColumnEncoding) {
    this.#columns = columns;
    this.#encoders = columns.map((column) => columnEncoder(column, encoding));
    this.#fields = new Set(columns.map((column) => column.field));
  }

  write(row: Record<string, unknown>): SqlValue[] {
    const values: SqlValue[] = [];
    for (let index = 0; index < this.#columns.length; index += 1) {
      const { field, kind } = this.#columns[index] as ColumnSpec;
      const value = kind === "extra" ? this.#extraOf(row) : row[field];
      values.push((this.#encoders[index] as ColumnEncoder)(value));
    }
    return values;
  }

  /** Members without a column; an address among them is not data. */
  #extraOf(row: Record<string, unknown>): Record<string, unknown> | undefined {
    const extra = Object.entries(row).filter(([key]) => !this.#fields.has(key) && !ADDRESS.has(key));
    return extra.length === 0 ? undefined : Object.fromEntries(extra);
  }
}

/** Adds a row's address without showing it: the row prints and compares as what the task returned. */
export function addressed(row: Record<string, unknown>, address: RowAddress): OutputRow {
  Object.defineProperty(row, "runId", { value: address.runId });
  Object.defineProperty(row, "nodeId", { value: address.nodeId });
  Object.defineProperty(row, "iteration", { value: address.iteration });
  return row as OutputRow;
}
