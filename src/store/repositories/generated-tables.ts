import { ServiceError } from "../../errors/service-error.js";
import type { OutputTableInfo, RowCodec } from "../contract.js";
import { type DerivedTables, INPUT_KEY } from "../tables/derive-tables.js";
import { InputCodec } from "../tables/input-codec.js";
import type { CataloguedTable } from "./catalogue.js";
import { OutputTableSql } from "./outputs.js";

/** The input and output tables a store works with. */
export interface GeneratedTables {
  readonly input: InputCodec;
  readonly outputs: ReadonlyMap<string, OutputTableSql>;
  /** @throws UNKNOWN_OUTPUT_SCHEMA */
  output(outputKey: string): OutputTableSql;
  /** @throws UNKNOWN_OUTPUT_SCHEMA */
  codec(outputKey: string): RowCodec;
}

/** Tables of a workflow's schema. */
export class DeclaredTables implements GeneratedTables {
  readonly input: InputCodec;
  readonly outputs: ReadonlyMap<string, OutputTableSql>;
  readonly #derived: DerivedTables;

  constructor(derived: DerivedTables) {
    this.#derived = derived;
    this.input = derived.input;
    this.outputs = new Map([...derived.outputs].map(([key, codec]) => [key, new OutputTableSql(codec)]));
  }

  output(outputKey: string): OutputTableSql {
    return this.outputs.get(outputKey) ?? unknownOutput(outputKey, this.outputs);
  }

  codec(outputKey: string): RowCodec {
    return this.#derived.outputs.get(outputKey) ?? unknownOutput(outputKey, this.outputs);
  }
}

/** Tables as the catalogue describes them: their rows can be read and removed. */
export function cataloguedTables(catalogue: ReadonlyMap<string, CataloguedTable>): GeneratedTables {
  const outputs = new Map<string, OutputTableSql>();
  let input = new InputCodec(undefined);
  for (const { schemaKey, tableName, columns: declared } of catalogue.values()) {
    // Columns of several workflows may meet in one table, so a row need not have them all.
    const columns = declared.map((column) => ({ ...column, optional: !column.nullable || column.optional }));
    if (schemaKey === INPUT_KEY) input = new InputCodec(columns);
    else outputs.set(schemaKey, new OutputTableSql({ outputKey: schemaKey, tableName, columns }));
  }
  const output = (outputKey: string) => outputs.get(outputKey) ?? unknownOutput(outputKey, outputs);
  const codec = (outputKey: string): never => {
    throw new ServiceError(
      "UNKNOWN_OUTPUT_SCHEMA",
      `The schema of output "${outputKey}" is not known here; its workflow has it.`,
      {
        details: { outputKey },
      },
    );
  };
  return { input, outputs, output, codec };
}

/** The output tables for people and tools. */
export function describeTables(catalogue: ReadonlyMap<string, CataloguedTable>): OutputTableInfo[] {
  return [...catalogue.values()]
    .filter(({ schemaKey }) => schemaKey !== INPUT_KEY)
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
