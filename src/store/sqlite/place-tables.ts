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
import type { Statement } from "../sql-port.js";
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
  if (plan.statements.length === 0) return plan.places;
  return port.exclusive(() => {
    // Another process may have done the work while this one waited for the lock.
    const { statements, places } = planPlaces(port, request);
    if (statements.length === 0) return places;
    port.runAll(statements);
    return planPlaces(port, request).places;
  });
}

interface Plan {
  places: Map<string, CataloguedTable>;
  statements: Statement[];
}

function planPlaces(port: SqlitePort, { path, wanted, workflowName }: PlaceRequest): Plan {
  const tables = readCatalogue(port);
  const plan: Plan = { places: new Map(), statements: [] };
  const conflicts: ColumnConflict[] = [];
  for (const want of wanted) {
    const candidates = [...tables.values()].filter(({ schemaKey }) => schemaKey === want.key);
    const own = findOwn(port, want, { candidates, workflowName });
    if (own === "unknown") continue;
    if (own === "none") {
      plan.statements.push(...createTable(want, freeName(port, want, candidates.length > 0), SQLITE_WORDS));
      continue;
    }
    conflicts.push(...findConflicts(want, own));
    plan.places.set(want.key, own);
    if (missingColumns(want, own).length > 0 || !own.isChecksummed) {
      plan.statements.push(...extendTable(want, own, SQLITE_WORDS));
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

export function readCatalogue(port: SqlitePort): Catalogue {
  const { sql, params, read } = catalogue();
  return read(port.all(sql, params));
}
