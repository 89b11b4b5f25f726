import type { ZodObject } from "zod";
import type { OutputRow } from "../../model/schema.js";
import { codecOf } from "../repositories/generated-tables.js";
import type { OutputTableSql } from "../repositories/outputs.js";
import { getRunHead } from "../repositories/runs.js";
import type { Query } from "../sql-port.js";
import type { DerivedTables } from "../tables/derive-tables.js";
import type { SqliteConnection } from "./connection.js";
import type { TableBindings } from "./table-bindings.js";

interface RowAt {
  nodeId: string;
  iteration: number;
}

/** Reads inputs and outputs of runs, whose workflow need not be the one of this handle. */
export class StoredRows {
  readonly #connection: SqliteConnection;
  readonly #bindings: TableBindings;
  readonly #declared: DerivedTables | undefined;

  constructor(connection: SqliteConnection, bindings: TableBindings, declared: DerivedTables | undefined) {
    this.#connection = connection;
    this.#bindings = bindings;
    this.#declared = declared;
  }

  input(runId: string): Record<string, unknown> | undefined {
    return this.#firstOf(this.#bindings.stored.inputs.map((table) => table.get(runId)));
  }

  output(runId: string, outputKey: string, { nodeId, iteration }: RowAt): OutputRow | undefined {
    const tables = this.#tablesOf(runId, outputKey);
    return this.#firstOf(tables.map((table) => table.get(runId, nodeId, iteration)));
  }

  anyOutput(runId: string, { nodeId, iteration }: RowAt): OutputRow | undefined {
    const { outputs } = this.#bindings.stored;
    return this.#firstOf(outputs.map((table) => table.get(runId, nodeId, iteration)));
  }

  outputs(runId: string, outputKey: string): OutputRow[] {
    return this.#tablesOf(runId, outputKey).flatMap((table) => this.#read(table.list(runId)));
  }

  schema(runId: string, outputKey: string): ZodObject | undefined {
    const head = this.#read(getRunHead(runId));
    const schema = this.#declared?.outputs.get(outputKey)?.schema;
    if (head === undefined || schema === undefined) return undefined;
    return this.#bindings.isOf(head.workflowName, outputKey) ? schema : undefined;
  }

  #tablesOf(runId: string, outputKey: string): readonly OutputTableSql[] {
    if (this.#declared !== undefined) codecOf(this.#declared, outputKey);
    const head = this.#read(getRunHead(runId));
    const bound = head === undefined ? undefined : this.#bindings.known(head.workflowName);
    if (bound !== undefined) return bound.output(outputKey);
    return this.#bindings.stored.outputs.filter(({ layout }) => layout.outputKey === outputKey);
  }

  #firstOf<T>(queries: readonly Query<T | undefined>[]): T | undefined {
    for (const query of queries) {
      const found = this.#read(query);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #read<T>({ sql, params, read }: Query<T>): T {
    return read(this.#connection.port.all(sql, params));
  }
}
