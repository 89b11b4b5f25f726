import { existsSync, linkSync, mkdtempSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import { askPort, transaction } from "../logic/work.js";
import type { DdlWords } from "../migrations/dialect.js";
import { SQLITE_WORDS } from "../migrations/dialect.js";
import { generatedTableDdl } from "../migrations/generated-tables.js";
import { checkTableNames } from "../postgres/check-names.js";
import { POSTGRES_WORDS } from "../postgres/dialect.js";
import { isPostgresUrl } from "../postgres/options.js";
import { PostgresStore } from "../postgres/store.js";
import { placeholders } from "../repositories/rows.js";
import type { SqlPort, Statement } from "../sql-port.js";
import { SqliteStore } from "../sqlite/store.js";
import { type RowSource, readFrom, type TransferTable } from "./row-source.js";
import { enginePart, generatedPart, generatedTables } from "./table-parts.js";

export interface CopiedTable {
  table: string;
  rows: number;
}

/** A database to copy into: its words, and how its numbers continue after those of the rows. */
interface Target {
  readonly words: DdlWords;
  continueSerial(table: string, serial: string, last: number): Statement[];
}

/**
 * Refuses a target that has content, without changing it.
 * @throws INVALID_INPUT, and what opening throws
 */
export async function checkTarget(to: string): Promise<void> {
  if (!isPostgresUrl(to)) {
    if (existsSync(to)) throw notEmpty(resolve(to));
    return;
  }
  try {
    await readFrom(to, (target) => refuseContent(target, target.path));
  } catch (error) {
    // A schema without tables is what a copy is made into.
    if (!ServiceError.is(error, "STORAGE_ERROR") || error.details?.version !== 0) throw error;
  }
}

/**
 * Copies all runs, rows, schedules and facts of a database into one that has none: a file that is not there yet, or a
 * schema of a server. Either all of it is there afterwards or none.
 * @throws INVALID_INPUT for a target that has content, SCHEMA_INCOMPATIBLE for names that Postgres does not keep, and
 *   what opening, reading and writing throw
 */
export function copyDatabase(from: string, to: string): Promise<CopiedTable[]> {
  return readFrom(from, (source) =>
    isPostgresUrl(to) ? copyToServer(source, to) : copyToFile(source, resolve(to)),
  );
}

/** The rows that a copy would have. */
export function countRows(from: string): Promise<CopiedTable[]> {
  return readFrom(from, async (source) => {
    const counted: CopiedTable[] = [];
    for (const { name } of [...enginePart, ...(await generatedTables(source)).map(generatedPart)]) {
      const [row] = await source.all(`SELECT count(*) FROM ${name}`, []);
      counted.push({ table: name, rows: row?.[0] as number });
    }
    return counted;
  });
}

async function copyToServer(source: RowSource, url: string): Promise<CopiedTable[]> {
  for (const { tableName, schemaKey, columns } of await generatedTables(source)) {
    checkTableNames({ key: schemaKey, tableName, columns });
  }
  const store = new PostgresStore({ connectionString: url });
  try {
    await store.prepare();
    const fill = async (port: SqlPort) => {
      await refuseContent(port, store.path);
      return fillTables(port, source, SERVER);
    };
    return await store.connection.run(transaction(() => askPort(fill)));
  } finally {
    await store.close();
  }
}

/** Into a folder beside it, and in its place once it is whole. */
async function copyToFile(source: RowSource, path: string): Promise<CopiedTable[]> {
  if (existsSync(path)) throw notEmpty(path);
  const folder = mkdtempSync(join(dirname(path), `.${basename(path)}.copy-`));
  try {
    const file = join(folder, basename(path));
    const store = new SqliteStore({ path: file });
    let copied: CopiedTable[];
    try {
      copied = await fillTables(store.sql, source, FILE);
    } finally {
      store.close();
    }
    linkSync(file, path);
    return copied;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function refuseContent(port: Pick<SqlPort, "all">, path: string): Promise<void> {
  for (const { name } of enginePart) {
    const rows = await port.all(`SELECT 1 FROM ${name} LIMIT 1`, []);
    if (rows.length > 0) throw notEmpty(path);
  }
}

function notEmpty(path: string): ServiceError {
  return new ServiceError(
    "INVALID_INPUT",
    `The database ${path} is not empty; a copy is made into a new one. Nothing was changed. Name a file that is not there yet, or a schema of the server without runs.`,
    { details: { path } },
  );
}

async function fillTables(port: SqlPort, source: RowSource, target: Target): Promise<CopiedTable[]> {
  const generated = await generatedTables(source);
  for (const { tableName, schemaKey, columns, isChecksummed } of generated) {
    const wanted = { key: schemaKey, tableName, columns, isChecksummed };
    await port.write([{ sql: generatedTableDdl(wanted, tableName, target.words), params: [] }]);
  }
  const copied: CopiedTable[] = [];
  for (const table of [...enginePart, ...generated.map(generatedPart)]) {
    copied.push({ table: table.name, rows: await copyRows(port, source, table) });
    const last = table.serial === undefined ? 0 : await source.lastSerial(table);
    if (last > 0) await port.write(target.continueSerial(table.name, table.serial as string, last));
  }
  return copied;
}

async function copyRows(port: SqlPort, source: RowSource, table: TransferTable): Promise<number> {
  const { name, columns } = table;
  const sql = `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${placeholders(columns.length)})`;
  let count = 0;
  for await (const batch of source.batches(table)) {
    await port.write(batch.map((params) => ({ sql, params, isRow: true })));
    count += batch.length;
  }
  return count;
}

const SERVER: Target = {
  words: POSTGRES_WORDS,
  continueSerial: (table, serial, last) => [
    {
      sql: "SELECT setval(pg_get_serial_sequence(?, ?)::regclass, ?::bigint)",
      params: [table, serial, last],
    },
  ],
};

const FILE: Target = {
  words: SQLITE_WORDS,
  continueSerial: (table, _serial, last) => [
    { sql: "DELETE FROM sqlite_sequence WHERE name = ?", params: [table] },
    { sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", params: [table, last] },
  ],
};
