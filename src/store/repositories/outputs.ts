import { ServiceError } from "../../errors/service-error.js";
import type { OutputRow, RowAddress } from "../../model/schema.js";
import { count, text } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import { shown } from "../columns/shape.js";
import type { OutputWrite } from "../contract.js";
import type { Query, SqlRow, SqlValue, Statement } from "../sql-port.js";
import { addressText, CHECKSUM_COLUMN, RowChecksum } from "../tables/checksum.js";
import { type ColumnSpec, missingField } from "../tables/column.js";
import { quoteName } from "../tables/names.js";
import { addressed, RowReader } from "../tables/row-codec.js";
import type { CataloguedTable } from "./catalogue.js";
import type { ReplacedRow } from "../engine-tables/history.js";
import { readRow, RUN_NO, upsertSql } from "./rows.js";

const ADDRESS = ["run_id", "node_id", "iteration"];

/** The source of a table's statements: a codec, or the catalogue's word for it. */
export interface OutputTableLayout {
  outputKey: string;
  tableName: string;
  columns: readonly ColumnSpec[];
}

/** The statements of one output table, spelled once. */
export class OutputTableSql {
  readonly layout: OutputTableLayout;
  readonly #reader: RowReader;
  /** Of the columns that are written. */
  readonly #writeSum: RowChecksum;
  /** Of all columns that the table has: a row may be older than the layout. */
  readonly #readSum: RowChecksum;
  readonly #sumAt: number;
  /** Names of the values of `#select` after the address. */
  readonly #stored: readonly string[];
  readonly #address: RowTable<Omit<RowAddress, "runId">>;
  readonly #upsert: string;
  readonly #delete: string;
  readonly #select: string;
  readonly #restore: string;
  readonly #keepsSum: boolean;

  /** `place` is where the database has the table. */
  constructor(layout: OutputTableLayout, place: CataloguedTable | undefined) {
    this.layout = { ...layout, tableName: place?.tableName ?? layout.tableName };
    const table = quoteName(this.layout.tableName);
    const own = layout.columns.map(({ column }) => column);
    const all = [...own, ...otherColumns(own, place)];
    this.#address = new RowTable({
      name: this.layout.tableName,
      key: ["nodeId", "iteration"],
      ofRun: true,
      columns: { nodeId: text("node_id"), iteration: count("iteration") },
    });
    this.#reader = new RowReader(layout.columns);
    this.#writeSum = new RowChecksum(own);
    this.#readSum = new RowChecksum(all);
    this.#sumAt = all.length + 2;
    this.#stored = [...all, CHECKSUM_COLUMN];
    this.#upsert = upsertSql(table, ADDRESS, [...own.map(quoteName), CHECKSUM_COLUMN]);
    this.#delete = `DELETE FROM ${table} WHERE run_id = ? AND node_id = ? AND iteration = ?`;
    const selected = [...ADDRESS.slice(1), ...all.map(quoteName)].map((name) => `o.${name}`).join(", ");
    const sum = place?.isChecksummed === false ? "NULL" : `o.${CHECKSUM_COLUMN}`;
    this.#select = `SELECT ${selected}, ${sum} FROM ${table} o`;
    const kept = place?.isChecksummed === false ? all : this.#stored;
    this.#restore = upsertSql(table, ADDRESS, kept.map(quoteName));
    this.#keepsSum = kept === this.#stored;
  }

  upsert(runId: string, { nodeId, iteration, columns }: OutputWrite): Statement {
    const sum = this.#writeSum.of(addressText(runId, nodeId, iteration), columns);
    const params = [runId, nodeId, iteration, ...(columns as SqlValue[]), sum];
    return { sql: this.#upsert, params, isRow: true };
  }

  /** Writes a row as it was stored, for the same run or another. */
  restore(runId: string, { nodeId, iteration, values }: ReplacedRow): Statement {
    const columns = this.#stored.slice(0, -1).map((column) => unpackValue(values[column]));
    const sum = this.#readSum.of(addressText(runId, nodeId, iteration), columns);
    const params = [runId, nodeId, iteration, ...columns];
    if (this.#keepsSum) params.push(sum);
    return { sql: this.#restore, params, isRow: true };
  }

  remove(runId: string, { nodeId, iteration }: { nodeId: string; iteration: number }): Statement {
    return { sql: this.#delete, params: [runId, nodeId, iteration] };
  }

  get(runId: string, nodeId: string, iteration: number): Query<OutputRow | undefined> {
    return {
      sql: `${this.#select} WHERE o.run_id = ? AND o.node_id = ? AND o.iteration = ?`,
      params: [runId, nodeId, iteration],
      read: ([row]) => (row === undefined ? undefined : this.toRow(runId, row)),
    };
  }

  /** The row as it is stored, for the history; an empty list when there is none. */
  stored(runId: string, { nodeId, iteration }: { nodeId: string; iteration: number }): Query<ReplacedRow[]> {
    return {
      ...this.get(runId, nodeId, iteration),
      read: (rows) => rows.map((row) => this.toStored(row)),
    };
  }

  /** Of the values of `scan`. */
  toStored(row: SqlRow): ReplacedRow {
    const values: ReplacedRow["values"] = {};
    for (const [at, column] of this.#stored.entries()) {
      const value = row[at + 2];
      if (value !== null) values[column] = packValue(value as string | number);
    }
    const [nodeId, iteration] = row as [string, number];
    return { nodeId, iteration, tableName: this.layout.tableName, values };
  }

  /** @throws STORAGE_ERROR for a row that is damaged */
  fromStored(runId: string, { nodeId, iteration, values }: ReplacedRow): OutputRow {
    const columns = this.#stored.map((column) => unpackValue(values[column]));
    return this.toRow(runId, [nodeId, iteration, ...columns]);
  }

  /** In order of completion. Rows of nodes that never ran here, such as seeded ones, come first. */
  list(runId: string): Query<OutputRow[]> {
    return {
      sql: `${this.#select} LEFT JOIN _service_nodes n
        ON n.run_no = ${RUN_NO} AND n.node_id = o.node_id AND n.iteration = o.iteration
        WHERE o.run_id = ? ORDER BY coalesce(n.finished_seq, -1), o.node_id, o.iteration`,
      params: [runId, runId],
      read: (rows) => rows.map((row) => this.toRow(runId, row)),
    };
  }

  /** The stored values of all rows of a run, for `toRow` and `toCompleteRow`. */
  scan(runId: string): Pick<Query<unknown>, "sql" | "params"> {
    return { sql: `${this.#select} WHERE o.run_id = ? ORDER BY o.node_id, o.iteration`, params: [runId] };
  }

  /** @throws DB_SCHEMA_CONFLICT for a row that was stored before one of its required fields existed */
  toCompleteRow(runId: string, values: SqlRow): OutputRow {
    const row = this.toRow(runId, values);
    const missing = missingField(this.layout.columns, values, 2);
    if (missing === undefined) return row;
    const { outputKey, tableName } = this.layout;
    throw new ServiceError(
      "DB_SCHEMA_CONFLICT",
      `Run "${runId}" cannot continue: the row of node "${values[0]}" in table ${tableName} has no "${missing}", which the schema of output "${outputKey}" now requires.`,
      { details: { runId, nodeId: values[0], iteration: values[1], tableName, field: missing } },
    );
  }

  /** @throws STORAGE_ERROR for a row that is damaged */
  toRow(runId: string, values: SqlRow): OutputRow {
    const { tableName } = this.layout;
    const { nodeId, iteration } = this.#address.read(values, { runId });
    const key = addressText(runId, nodeId, iteration);
    this.#readSum.check(values[this.#sumAt], { tableName, runId, address: key, values }, 2);
    const place = { table: tableName, row: [shown(nodeId), iteration], runId };
    const row = readRow(place, () => this.#reader.read(values, 2));
    return addressed(row, { runId, nodeId, iteration });
  }
}

/** Numbers as text: JSON has no -0 and nothing infinite. */
function packValue(value: string | number): string {
  return typeof value === "string" ? `t${value}` : `n${Object.is(value, -0) ? "-0" : value}`;
}

function unpackValue(packed: string | undefined): SqlValue {
  if (packed === undefined) return null;
  return packed.startsWith("t") ? packed.slice(1) : Number(packed.slice(1));
}

/** The table's columns besides those of the schema. */
export function otherColumns(own: readonly string[], place: CataloguedTable | undefined): string[] {
  return (place?.columns ?? []).map(({ column }) => column).filter((column) => !own.includes(column));
}
