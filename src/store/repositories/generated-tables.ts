import { ServiceError } from "../../errors/service-error.js";
import { COMPOSITE_ROWS } from "../../model/composite-rows.js";
import type { OutputTableInfo, RowCodec } from "../row-codec.js";
import { type DerivedTables, INPUT_KEY } from "../tables/derive-tables.js";
import { InputCodec } from "../tables/input-codec.js";
import type { Catalogue, CataloguedTable } from "./catalogue.js";
import { InputTableSql } from "./inputs.js";
import { OutputTableSql } from "./outputs.js";

/** The input and output tables that rows are in. */
export interface GeneratedTables {
  /** Where the input of a run may be. */
  readonly inputs: readonly InputTableSql[];
  readonly outputs: readonly OutputTableSql[];
  /** The tables of a schema key. @throws UNKNOWN_OUTPUT_SCHEMA */
  output(outputKey: string): readonly OutputTableSql[];
}

/** The tables of a workflow's schema where the database has them. */
export function boundTables(
  derived: DerivedTables,
  places: ReadonlyMap<string, CataloguedTable>,
): GeneratedTables {
  const { input } = derived;
  const inputs = [new InputTableSql(input, places.get(INPUT_KEY))];
  const outputs = [...derived.outputs].map(
    ([key, { columns, tableName }]) =>
      new OutputTableSql({ outputKey: key, tableName, columns }, places.get(key)),
  );
  return { inputs, outputs, output: byKey(outputs) };
}

/** Tables as the catalogue describes them: their rows can be read and removed. */
export function storedTables(catalogue: Catalogue): GeneratedTables {
  const inputs: InputTableSql[] = [];
  const outputs: OutputTableSql[] = [];
  for (const table of catalogue.values()) {
    const { schemaKey, tableName } = table;
    // Columns of several workflows may meet in one table, so a row need not have them all.
    const columns = table.columns.map((column) => ({
      ...column,
      optional: !column.nullable || column.optional,
    }));
    if (schemaKey === INPUT_KEY) inputs.push(new InputTableSql(new InputCodec(columns), table));
    else outputs.push(new OutputTableSql({ outputKey: schemaKey, tableName, columns }, table));
  }
  return { inputs, outputs, output: byKey(outputs) };
}

function byKey(outputs: readonly OutputTableSql[]): GeneratedTables["output"] {
  const tables = new Map<string, OutputTableSql[]>();
  for (const table of outputs) {
    const { outputKey } = table.layout;
    tables.set(outputKey, [...(tables.get(outputKey) ?? []), table]);
  }
  return (outputKey) => tables.get(outputKey) ?? unknownOutput(outputKey, tables);
}

/** @throws UNKNOWN_OUTPUT_SCHEMA */
export function codecOf(derived: DerivedTables | undefined, outputKey: string): RowCodec {
  if (derived !== undefined) {
    return derived.outputs.get(outputKey) ?? unknownOutput(outputKey, derived.outputs);
  }
  throw new ServiceError(
    "UNKNOWN_OUTPUT_SCHEMA",
    `The schema of output "${outputKey}" is not known here; its workflow has it.`,
    { details: { outputKey } },
  );
}

/** The output tables of workflows for people and tools. */
export function describeTables(catalogue: Catalogue): OutputTableInfo[] {
  return [...catalogue.values()]
    .filter(({ schemaKey }) => schemaKey !== INPUT_KEY && schemaKey !== COMPOSITE_ROWS)
    .map(({ schemaKey, tableName, columns }) => ({
      outputKey: schemaKey,
      tableName,
      columns: columns.map(({ field, column, kind }) => ({ field, column, kind })),
    }));
}

function unknownOutput(outputKey: string, outputs: ReadonlyMap<string, unknown>): never {
  const known = [...outputs.keys()];
  const list = known.length === 0 ? "no outputs" : known.map((key) => `"${key}"`).join(", ");
  throw new ServiceError(
    "UNKNOWN_OUTPUT_SCHEMA",
    `There is no output "${outputKey}"; the workflow has ${list}.`,
    {
      details: { outputKey, known },
    },
  );
}
