import { migrationTable } from "../engine-tables/catalogue.js";
import { engineTables } from "../engine-tables/all.js";
import { addressOf } from "../migrations/generated-tables.js";
import { MEMORY_WORDS } from "../migrations/new-database.js";
import { type CataloguedTable, catalogue } from "../repositories/catalogue.js";
import { CHECKSUM_COLUMN } from "../tables/checksum.js";
import { quoteName } from "../tables/names.js";
import type { RowSource, TransferTable } from "./row-source.js";

/** The engine's tables but for the record of migrations, which every database has of its own, and the index of words. */
export const enginePart: readonly TransferTable[] = [
  ...engineTables
    .filter(({ name }) => name !== migrationTable.name)
    .map(({ name, ofRun, inOrder, storage }) => ({
      name,
      columns: [...(ofRun ? ["run_no"] : []), ...inOrder.map((column) => column.name)],
      ...(storage.serial !== undefined && { serial: storage.serial }),
    })),
  { name: MEMORY_WORDS, columns: ["rowid", "words"] },
];

/** The tables of workflows, as the database describes them. */
export async function generatedTables(source: RowSource): Promise<CataloguedTable[]> {
  const { sql, read } = catalogue();
  return [...read(await source.all(sql, [])).values()];
}

export function generatedPart({
  tableName,
  schemaKey,
  columns,
  isChecksummed,
}: CataloguedTable): TransferTable {
  const named = columns.map(({ column }) => quoteName(column));
  return {
    name: quoteName(tableName),
    columns: [...addressOf({ key: schemaKey }), ...named, ...(isChecksummed ? [CHECKSUM_COLUMN] : [])],
  };
}
