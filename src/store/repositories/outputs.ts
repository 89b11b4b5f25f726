import { ServiceError } from "../../errors/service-error.js";
import type { OutputRow } from "../../model/schema.js";
import type { OutputWrite } from "../contract.js";
import type { Query, SqlRow, SqlValue, Statement } from "../sql-port.js";
import { type ColumnSpec, missingField } from "../tables/column.js";
import { quoteName } from "../tables/names.js";
import { type InputCodec, PAYLOAD_COLUMN } from "../tables/input-codec.js";
import { addressed, RowReader } from "../tables/row-codec.js";
import { each, first, placeholders, RUN_NO, upsertSql } from "./rows.js";

const ADDRESS = ["run_id", "node_id", "iteration"];

/** What the statements of a table are made of: a codec, or the catalogue's word for it. */
export interface OutputTableLayout {
  outputKey: string;
  tableName: string;
  columns: readonly ColumnSpec[];
}

/** The statements of one output table, spelled once. */
export class OutputTableSql {
  readonly layout: OutputTableLayout;
  readonly #reader: RowReader;
  readonly #upsert: string;
  readonly #delete: string;
  readonly #select: string;

  constructor(layout: OutputTableLayout) {
    const table = quoteName(layout.tableName);
    const columns = layout.columns.map(({ column }) => quoteName(column));
    this.layout = layout;
    this.#reader = new RowReader(layout.columns);
    this.#upsert = upsertSql(table, ADDRESS, columns);
    this.#delete = `DELETE FROM ${table} WHERE run_id = ? AND node_id = ? AND iteration = ?`;
    const selected = [...ADDRESS.slice(1), ...columns].map((name) => `o.${name}`).join(", ");
    this.#select = `SELECT ${selected} FROM ${table} o`;
  }

  upsert(runId: string, output: OutputWrite): Statement {
    return {
      sql: this.#upsert,
      params: [runId, output.nodeId, output.iteration, ...(output.columns as SqlValue[])],
    };
  }

  remove(runId: string, { nodeId, iteration }: { nodeId: string; iteration: number }): Statement {
    return { sql: this.#delete, params: [runId, nodeId, iteration] };
  }

  get(runId: string, nodeId: string, iteration: number): Query<OutputRow | undefined> {
    return {
      sql: `${this.#select} WHERE o.run_id = ? AND o.node_id = ? AND o.iteration = ?`,
      params: [runId, nodeId, iteration],
      read: first((row) => this.toRow(runId, row)),
    };
  }

  /** In order of completion. Rows of nodes that never ran here, such as seeded ones, come first. */
  list(runId: string): Query<OutputRow[]> {
    return {
      sql: `${this.#select} LEFT JOIN _service_nodes n
        ON n.run_no = ${RUN_NO} AND n.node_id = o.node_id AND n.iteration = o.iteration
        WHERE o.run_id = ? ORDER BY coalesce(n.finished_seq, -1), o.node_id, o.iteration`,
      params: [runId, runId],
      read: each((row) => this.toRow(runId, row)),
    };
  }

  /** The stored values of all rows of a run, for `toRow` and `toCompleteRow`. */
  scan(runId: string): Pick<Query<unknown>, "sql" | "params"> {
    return { sql: `${this.#select} WHERE o.run_id = ? ORDER BY o.node_id, o.iteration`, params: [runId] };
  }

  /** @throws DB_SCHEMA_CONFLICT for a row that was stored before one of its required fields existed */
  toCompleteRow(runId: string, values: SqlRow): OutputRow {
    const missing = missingField(this.layout.columns, values, 2);
    if (missing === undefined) return this.toRow(runId, values);
    const { outputKey, tableName } = this.layout;
    throw new ServiceError(
      "DB_SCHEMA_CONFLICT",
      `Run "${runId}" cannot go on: the row of node "${values[0]}" in table ${tableName} has no "${missing}", which the schema of output "${outputKey}" now requires.`,
      { details: { runId, nodeId: values[0], iteration: values[1], tableName, field: missing } },
    );
  }

  toRow(runId: string, values: SqlRow): OutputRow {
    const address = { runId, nodeId: values[0] as string, iteration: values[1] as number };
    return addressed(this.#reader.read(values, 2), address);
  }
}

export function insertInput(codec: InputCodec, runId: string, input: Record<string, unknown>): Statement {
  const columns = ["run_id", ...codec.columns.map(({ column }) => quoteName(column))];
  return {
    sql: `INSERT INTO ${quoteName(codec.tableName)} (${columns.join(", ")}) VALUES (${placeholders(columns.length)})`,
    params: [runId, ...codec.encode(input)],
  };
}

function selectInput(codec: InputCodec): string {
  // An input schema without fields still needs something to select.
  const columns = ["run_id", ...codec.columns.map(({ column }) => quoteName(column))];
  return `SELECT ${columns.join(", ")} FROM ${quoteName(codec.tableName)} WHERE run_id = ?`;
}

export function getInput(codec: InputCodec, runId: string): Query<Record<string, unknown> | undefined> {
  return { sql: selectInput(codec), params: [runId], read: first((row) => codec.decode(row, 1)) };
}

/**
 * The input of a run that is to go on.
 * @throws MISSING_INPUT without a row, DB_SCHEMA_CONFLICT for a row that lacks a required field
 */
export function getCompleteInput(codec: InputCodec, runId: string): Query<Record<string, unknown>> {
  return {
    sql: selectInput(codec),
    params: [runId],
    read: ([row]) => {
      if (row === undefined) throw new ServiceError("MISSING_INPUT", `Run "${runId}" has no input row.`);
      const missing = missingField(codec.columns, row, 1);
      if (missing === undefined) return codec.decode(row, 1);
      throw new ServiceError(
        "DB_SCHEMA_CONFLICT",
        missing === PAYLOAD_COLUMN.field
          ? `Run "${runId}" cannot go on: its input was stored under an input schema, which the workflow no longer has.`
          : `Run "${runId}" cannot go on: its input has no "${missing}", which the input schema now requires.`,
        { details: { runId, tableName: codec.tableName, field: missing } },
      );
    },
  };
}
