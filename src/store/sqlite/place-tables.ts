import { SQLITE_WORDS } from "../migrations/dialect.js";
import {
  agrees,
  type ColumnConflict,
  createTable,
  extendTable,
  findConflicts,
  missingColumns,
  refuseConflicts,
  refuseForeignTable,
  type WantedTable,
} from "../migrations/generated-tables.js";
import { type CataloguedTable, type Catalogue, catalogue } from "../repositories/catalogue.js";
import { outputColumnTable, outputTableTable } from "../engine-tables/catalogue.js";
import type { Statement } from "../sql-port.js";
import { COMPOSITE_ROWS } from "../../model/composite-rows.js";
import { CHECKSUM_COLUMN } from "../tables/checksum.js";
import { INPUT_KEY } from "../tables/derive-tables.js";
import { quoteName } from "../tables/names.js";
import type { SqlitePort } from "./port.js";

/** Where the rows of each schema key are. */
export type Places = ReadonlyMap<string, CataloguedTable>;

export interface PlaceRequest {
  /** Database as messages name it. */
  path: string;
  wanted: readonly WantedTable[];
  /** Whose rows; undefined before the workflow's name is known. */
  workflowName: string | undefined;
}

/**
 * Finds or makes the tables of one workflow. Its own table is the one that has
 * rows of its runs: that one gets the columns that a newer schema adds. Workflows
 * that do not know each other share a table only where both would make it alike.
 *
 * Without a name, keys that this cannot be said of are left out.
 * @throws DB_SCHEMA_CONFLICT when the workflow's own rows cannot be read by its schema
 */
export function placeTables(port: SqlitePort, request: PlaceRequest): Places {
  const plan = planPlaces(port, request);
  if (plan.changes.length === 0) return plan.places;
  return port.exclusive(() => {
    // Another process may have done the work while this one waited for the lock.
    const { changes, places } = planPlaces(port, request);
    if (changes.length === 0) return places;
    port.runAll(changes.flatMap((change) => change()));
    return planPlaces(port, request).places;
  });
}

interface Plan {
  places: Map<string, CataloguedTable>;
  /** Made under the lock: before, a table may appear between a look at the catalogue and one at the tables. */
  changes: (() => readonly Statement[])[];
}

function planPlaces(port: SqlitePort, { path, wanted, workflowName }: PlaceRequest): Plan {
  const tables = readCatalogue(port);
  const plan: Plan = { places: new Map(), changes: [] };
  const conflicts: ColumnConflict[] = [];
  for (const want of wanted) {
    const candidates = [...tables.values()].filter(({ schemaKey }) => schemaKey === want.key);
    const own = findOwn(port, want, { candidates, workflowName });
    if (own === "unknown") continue;
    if (own === "none") {
      plan.changes.push(() => createTable(want, freeName(port, want, candidates.length > 0), SQLITE_WORDS));
      continue;
    }
    conflicts.push(...findConflicts(want, own));
    plan.places.set(want.key, own);
    if (missingColumns(want, own).length > 0 || !own.isChecksummed) {
      plan.changes.push(() => extendTable(want, own, SQLITE_WORDS));
    }
  }
  refuseConflicts(conflicts, path);
  return plan;
}

interface Claim {
  candidates: readonly CataloguedTable[];
  workflowName: string | undefined;
}

function findOwn(
  port: SqlitePort,
  want: WantedTable,
  { candidates, workflowName }: Claim,
): CataloguedTable | "none" | "unknown" {
  const alike = candidates.find((table) => agrees(want, table));
  if (candidates.length === 0) return "none";
  if (alike !== undefined && (candidates.length === 1 || workflowName === undefined)) return alike;
  if (workflowName === undefined) return "unknown";
  const own = candidates.find((table) => hasRowsOf(port, table, workflowName));
  const fits = (table: CataloguedTable) => findConflicts(want, table).length === 0 && isEmpty(port, table);
  return own ?? alike ?? candidates.find(fits) ?? "none";
}

/** The table of a key that has rows of a workflow's runs. */
export function ownTable(
  port: SqlitePort,
  { key, tables, workflowName }: { key: string; tables: Catalogue; workflowName: string },
): CataloguedTable | undefined {
  const candidates = [...tables.values()].filter(({ schemaKey }) => schemaKey === key);
  return candidates.find((table) => hasRowsOf(port, table, workflowName));
}

function hasRowsOf(port: SqlitePort, { tableName }: CataloguedTable, workflowName: string): boolean {
  const sql = `SELECT 1 FROM _service_runs r WHERE r.workflow_name = ?
    AND EXISTS (SELECT 1 FROM ${quoteName(tableName)} o WHERE o.run_id = r.run_id) LIMIT 1`;
  return port.all(sql, [workflowName]).length > 0;
}

function isEmpty(port: SqlitePort, { tableName }: CataloguedTable): boolean {
  return port.all(`SELECT 1 FROM ${quoteName(tableName)} LIMIT 1`, []).length === 0;
}

/** The wanted name, or where another workflow has it the next one that nobody has. */
function freeName(port: SqlitePort, want: WantedTable, isTaken: boolean): string {
  const { tableName } = want;
  if (!isTaken) {
    const present = columnsOf(port, tableName);
    return present.length === 0 ? tableName : refuseForeignTable(want, present);
  }
  for (let number = 2; ; number += 1) {
    const name = `${tableName}__${number}`;
    if (columnsOf(port, name).length === 0) return name;
  }
}

function columnsOf(port: SqlitePort, tableName: string): string[] {
  return port.all("SELECT name FROM pragma_table_info(?)", [tableName]).map(([name]) => name as string);
}

/** @throws STORAGE_ERROR for a catalogue that names what is not there, or what is no workflow's */
export function readCatalogue(port: SqlitePort): Catalogue {
  const { sql, params, read } = catalogue();
  const tables = read(port.all(sql, params));
  const present = new Set(port.all(ALL_COLUMNS, []).map(([table, column]) => `${table}.${column}`));
  for (const table of tables.values()) refuseAbsent(table, present);
  return tables;
}

const ALL_COLUMNS = `SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c
  WHERE t.type = 'table'
    AND (t.name NOT LIKE '\\_service\\_%' ESCAPE '\\' OR t.name = '${COMPOSITE_ROWS}')`;

function refuseAbsent(table: CataloguedTable, present: ReadonlySet<string>): void {
  const { tableName, schemaKey, isChecksummed, columns } = table;
  const address = schemaKey === INPUT_KEY ? ["run_id"] : ["run_id", "node_id", "iteration"];
  const needed = [...address, ...(isChecksummed ? [CHECKSUM_COLUMN] : [])];
  const lacks = (column: string) => !present.has(`${tableName}.${column}`);
  const absent = needed.find(lacks);
  if (absent !== undefined) {
    throw outputTableTable.damaged([tableName], {
      column: "table_name",
      problem: `names no table of a workflow: ${tableName}.${absent} is not there`,
    });
  }
  for (const { column } of columns) {
    if (!lacks(column) && !address.includes(column)) continue;
    throw outputColumnTable.damaged([tableName, column], {
      column: "column_name",
      problem: "names no column for a field",
    });
  }
}
