import { ServiceError } from "../../errors/service-error.js";
import type { Query, SqlRow, SqlValue, Statement } from "../sql-port.js";
import { CHECKSUM_COLUMN, RowChecksum } from "../tables/checksum.js";
import { missingField } from "../tables/column.js";
import { type InputCodec, PAYLOAD_COLUMN } from "../tables/input-codec.js";
import { quoteName } from "../tables/names.js";
import type { CataloguedTable } from "./catalogue.js";
import { otherColumns } from "./outputs.js";
import { anywhere, type Condition, contains, placeholders, readRow } from "./rows.js";

/** The statements of one input table. */
export class InputTableSql {
  readonly tableName: string;
  readonly #codec: InputCodec;
  readonly #writeSum: RowChecksum;
  readonly #readSum: RowChecksum;
  readonly #sumAt: number;
  readonly #insert: string;
  readonly #select: string;
  /** Of a copied row, in the order of `#select`. */
  readonly #columns: readonly string[];
  readonly #copy: string;

  /** `place` is where the database has the table. */
  constructor(codec: InputCodec, place: CataloguedTable | undefined) {
    this.#codec = codec;
    this.tableName = place?.tableName ?? codec.tableName;
    const table = quoteName(this.tableName);
    const own = codec.columns.map(({ column }) => column);
    const all = [...own, ...otherColumns(own, place)];
    this.#writeSum = new RowChecksum(own);
    this.#readSum = new RowChecksum(all);
    this.#sumAt = all.length + 1;
    const written = ["run_id", ...own.map(quoteName), CHECKSUM_COLUMN];
    this.#insert = `INSERT INTO ${table} (${written.join(", ")}) VALUES (${placeholders(written.length)})`;
    const sum = place?.isChecksummed === false ? "NULL" : CHECKSUM_COLUMN;
    this.#select = `SELECT ${["run_id", ...all.map(quoteName), sum].join(", ")} FROM ${table} WHERE run_id = ?`;
    this.#columns = place?.isChecksummed === false ? all : [...all, CHECKSUM_COLUMN];
    const copied = ["run_id", ...this.#columns.map(quoteName)];
    this.#copy = `INSERT INTO ${table} (${copied.join(", ")}) VALUES (${placeholders(copied.length)})`;
  }

  insert(runId: string, input: Record<string, unknown>): Statement {
    const values = this.#codec.encode(input);
    return { sql: this.#insert, params: [runId, ...values, this.#writeSum.of(runId, values)] };
  }

  get(runId: string): Query<Record<string, unknown> | undefined> {
    return {
      sql: this.#select,
      params: [runId],
      read: ([row]) => (row === undefined ? undefined : this.#toInput(runId, row)),
    };
  }

  /** Condition that the input of the run, whose id is in the column, has a text in one of its values. */
  has(runId: string, text: string): Condition {
    const inText = anywhere(text);
    // Quotes and line ends are escaped in JSON.
    const inJson = anywhere(JSON.stringify(text).slice(1, -1));
    const columns = this.#codec.columns.filter(({ kind }) => kind !== "boolean");
    const values = columns.map(({ column }) => contains(`CAST(i.${quoteName(column)} AS TEXT)`));
    return {
      sql: `EXISTS (SELECT 1 FROM ${quoteName(this.tableName)} i WHERE i.run_id = ${runId}
        AND (${values.length === 0 ? "1 = 0" : values.join(" OR ")}))`,
      params: columns.map(({ kind }) => (kind === "json" || kind === "extra" ? inJson : inText)),
    };
  }

  /** What gives another run the row of this one, as it is stored; an empty list when it is not in this table. */
  copy(runId: string, toRunId: string): Query<Statement[]> {
    return {
      ...this.get(runId),
      read: (rows) =>
        rows.slice(0, 1).map((row) => {
          this.#toInput(runId, row);
          const sum = this.#readSum.of(toRunId, row, 1);
          const values = this.#columns.map((column, at) => (column === CHECKSUM_COLUMN ? sum : row[at + 1]));
          return { sql: this.#copy, params: [toRunId, ...(values as SqlValue[])] };
        }),
    };
  }

  /**
   * The input of a run that is to continue, from the rows of `get`.
   * @throws MISSING_INPUT without a row, DB_SCHEMA_CONFLICT for a row that lacks a required field
   */
  readComplete(runId: string, [row]: readonly SqlRow[]): Record<string, unknown> {
    if (row === undefined) throw new ServiceError("MISSING_INPUT", `Run "${runId}" has no input row.`);
    const input = this.#toInput(runId, row);
    const missing = missingField(this.#codec.columns, row, 1);
    if (missing === undefined) return input;
    throw new ServiceError(
      "DB_SCHEMA_CONFLICT",
      missing === PAYLOAD_COLUMN.field
        ? `Run "${runId}" cannot continue: its input was stored under an input schema, which the workflow no longer has.`
        : `Run "${runId}" cannot continue: its input has no "${missing}", which the input schema now requires.`,
      { details: { runId, tableName: this.tableName, field: missing } },
    );
  }

  #toInput(runId: string, values: SqlRow): Record<string, unknown> {
    const { tableName } = this;
    this.#readSum.check(values[this.#sumAt], { tableName, runId, address: runId, values }, 1);
    return readRow({ table: tableName, row: [], runId }, () => this.#codec.decode(values, 1));
  }
}
