import type { ZodObject } from "zod";
import type { OutputRow } from "../../model/schema.js";
import { codecOf } from "../repositories/generated-tables.js";
import type { OutputTableSql } from "../repositories/outputs.js";
import { getRunHead } from "../repositories/runs.js";
import type { Query, Work } from "../sql-port.js";
import type { DerivedTables } from "../tables/derive-tables.js";
import type { TableBindings } from "./table-bindings.js";
import { read } from "./work.js";

interface RowAt {
  nodeId: string;
  iteration: number;
}

/** Reads inputs and outputs of runs, whose workflow need not be the one of this handle. */
export class StoredRows {
  readonly #bindings: TableBindings;
  readonly #declared: DerivedTables | undefined;

  constructor(bindings: TableBindings, declared: DerivedTables | undefined) {
    this.#bindings = bindings;
    this.#declared = declared;
  }

  *input(runId: string): Work<Record<string, unknown> | undefined> {
    const { inputs } = yield* this.#bindings.stored();
    return yield* firstOf(inputs.map((table) => table.get(runId)));
  }

  *output(runId: string, outputKey: string, { nodeId, iteration }: RowAt): Work<OutputRow | undefined> {
    const tables = yield* this.#tablesOf(runId, outputKey);
    return yield* firstOf(tables.map((table) => table.get(runId, nodeId, iteration)));
  }

  *anyOutput(runId: string, { nodeId, iteration }: RowAt): Work<OutputRow | undefined> {
    const { outputs } = yield* this.#bindings.stored();
    return yield* firstOf(outputs.map((table) => table.get(runId, nodeId, iteration)));
  }

  *outputs(runId: string, outputKey: string): Work<OutputRow[]> {
    const rows: OutputRow[] = [];
    for (const table of yield* this.#tablesOf(runId, outputKey))
      rows.push(...(yield* read(table.list(runId))));
    return rows;
  }

  *schema(runId: string, outputKey: string): Work<ZodObject | undefined> {
    const head = yield* read(getRunHead(runId));
    const schema = this.#declared?.outputs.get(outputKey)?.schema;
    if (head === undefined || schema === undefined) return undefined;
    return (yield* this.#bindings.isOf(head.workflowName, outputKey)) ? schema : undefined;
  }

  *#tablesOf(runId: string, outputKey: string): Work<readonly OutputTableSql[]> {
    if (this.#declared !== undefined) codecOf(this.#declared, outputKey);
    const head = yield* read(getRunHead(runId));
    const bound = head === undefined ? undefined : yield* this.#bindings.known(head.workflowName);
    if (bound !== undefined) return bound.output(outputKey);
    const { outputs } = yield* this.#bindings.stored();
    return outputs.filter(({ layout }) => layout.outputKey === outputKey);
  }
}

function* firstOf<T>(queries: readonly Query<T | undefined>[]): Work<T | undefined> {
  for (const query of queries) {
    const found = yield* read(query);
    if (found !== undefined) return found;
  }
  return undefined;
}
