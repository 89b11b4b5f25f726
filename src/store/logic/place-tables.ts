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
import type { Query, Statement, Work } from "../sql-port.js";
import { CHECKSUM_COLUMN } from "../tables/checksum.js";
import { INPUT_KEY } from "../tables/derive-tables.js";
import { quoteName } from "../tables/names.js";
import type { Dialect } from "./database.js";
import { runAll } from "./statements.js";
import { read, transaction } from "./work.js";

/** Where the rows of each schema key are. */
export type Places = ReadonlyMap<string, CataloguedTable>;

export interface PlaceRequest {
  /** Database as messages name it. */
  path: string;
  dialect: Dialect;
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
export function* placeTables(request: PlaceRequest): Work<Places> {
  const plan = yield* planPlaces(request);
  if (plan.changes.length === 0) return plan.places;
  return yield* transaction(function* () {
    // Another process may have done the work while this one waited for the lock.
    const { changes, places } = yield* planPlaces(request);
    if (changes.length === 0) return places;
    for (const change of changes) yield* runAll(yield* statementsOf(change, request.dialect));
    return (yield* planPlaces(request)).places;
  });
}

interface Plan {
  places: Map<string, CataloguedTable>;
  /** Become statements under the lock: before, a table may appear between a look at the catalogue and one at the tables. */
  changes: Change[];
}

function* planPlaces({ path, dialect, wanted, workflowName }: PlaceRequest): Work<Plan> {
  const tables = yield* readCatalogue(dialect);
  const plan: Plan = { places: new Map(), changes: [] };
  const conflicts: ColumnConflict[] = [];
  for (const want of wanted) {
    const candidates = [...tables.values()].filter(({ schemaKey }) => schemaKey === want.key);
    const own = yield* findOwn(want, { candidates, workflowName });
    if (own === "unknown") continue;
    if (own === "none") {
      plan.changes.push({ want, own: undefined, isTaken: candidates.length > 0 });
      continue;
    }
    conflicts.push(...findConflicts(want, own));
    plan.places.set(want.key, own);
    if (missingColumns(want, own).length > 0 || !own.isChecksummed) {
      plan.changes.push({ want, own, isTaken: true });
    }
  }
  refuseConflicts(conflicts, path);
  return plan;
}

interface Change {
  want: WantedTable;
  /** The table to extend; undefined where it is to be made. */
  own: CataloguedTable | undefined;
  /** Whether another workflow may have the wanted name. */
  isTaken: boolean;
}

function* statementsOf({ want, own, isTaken }: Change, dialect: Dialect): Work<Statement[]> {
  const { words } = dialect;
  if (own !== undefined) return extendTable(want, own, words);
  return createTable(want, yield* freeName(dialect, want, isTaken), words);
}

interface Claim {
  candidates: readonly CataloguedTable[];
  workflowName: string | undefined;
}

function* findOwn(
  want: WantedTable,
  { candidates, workflowName }: Claim,
): Work<CataloguedTable | "none" | "unknown"> {
  const alike = candidates.find((table) => agrees(want, table));
  if (candidates.length === 0) return "none";
  if (alike !== undefined && (candidates.length === 1 || workflowName === undefined)) return alike;
  if (workflowName === undefined) return "unknown";
  const own = (yield* firstWithRowsOf(candidates, workflowName)) ?? alike;
  if (own !== undefined) return own;
  for (const table of candidates) {
    if (findConflicts(want, table).length === 0 && (yield* read(isEmpty(table)))) return table;
  }
  return "none";
}

/** The table of a key that has rows of a workflow's runs. */
export function ownTable({
  key,
  tables,
  workflowName,
}: {
  key: string;
  tables: Catalogue;
  workflowName: string;
}): Work<CataloguedTable | undefined> {
  const candidates = [...tables.values()].filter(({ schemaKey }) => schemaKey === key);
  return firstWithRowsOf(candidates, workflowName);
}

function* firstWithRowsOf(
  candidates: readonly CataloguedTable[],
  workflowName: string,
): Work<CataloguedTable | undefined> {
  for (const table of candidates) if (yield* read(hasRowsOf(table, workflowName))) return table;
  return undefined;
}

function hasRowsOf({ tableName }: CataloguedTable, workflowName: string): Query<boolean> {
  const sql = `SELECT 1 FROM _service_runs r WHERE r.workflow_name = ?
    AND EXISTS (SELECT 1 FROM ${quoteName(tableName)} o WHERE o.run_id = r.run_id) LIMIT 1`;
  return { sql, params: [workflowName], read: (rows) => rows.length > 0 };
}

function isEmpty({ tableName }: CataloguedTable): Query<boolean> {
  const sql = `SELECT 1 FROM ${quoteName(tableName)} LIMIT 1`;
  return { sql, params: [], read: (rows) => rows.length === 0 };
}

/** The wanted name, or where another workflow has it the next free one. */
function* freeName(dialect: Dialect, want: WantedTable, isTaken: boolean): Work<string> {
  const { tableName } = want;
  if (!isTaken) {
    const present = yield* read(dialect.columnsOf(tableName));
    return present.length === 0 ? tableName : refuseForeignTable(want, present);
  }
  for (let number = 2; ; number += 1) {
    const name = `${tableName}__${number}`;
    if ((yield* read(dialect.columnsOf(name))).length === 0) return name;
  }
}

/** @throws STORAGE_ERROR for a catalogue that names what is not there, or what is no workflow's */
export function* readCatalogue({ allColumns }: Dialect): Work<Catalogue> {
  const tables = yield* read(catalogue());
  const present = yield* read(allColumns);
  for (const table of tables.values()) refuseAbsent(table, present);
  return tables;
}

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
