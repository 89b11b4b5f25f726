import { ServiceError } from "../../errors/service-error.js";
import { migrationTable } from "../engine-tables/catalogue.js";
import { insertAlone } from "../repositories/rows.js";
import type { SqlRow, Statement } from "../sql-port.js";
import { attemptLeases } from "./011-attempt-leases.js";
import { history } from "./012-history.js";
import { loadedFiles } from "./013-loaded-files.js";
import { answerSchemas } from "./014-answer-schemas.js";
import { processDeaths } from "./015-process-deaths.js";
import { inboxNotes } from "./016-inbox-notes.js";
import { lostStarts } from "./017-lost-starts.js";
import { fewerTables } from "./018-fewer-tables.js";
import { places } from "./019-places.js";
import { toolEffects } from "./020-tool-effects.js";
import { webhookReplays } from "./021-webhook-replays.js";
import { wakingRuns } from "./022-waking-runs.js";
import { questions } from "./023-questions.js";
import { shorterRows } from "./024-shorter-rows.js";
import type { DdlWords, Migration } from "./dialect.js";
import { newDatabase } from "./new-database.js";

/** The oldest that can be brought to this library's version: those before it were never released. */
const FIRST_VERSION = 10;

/**
 * Changes since then, oldest first. Each takes the tables from the version before it to its own; together they
 * lead to what `newDatabase` makes at once.
 */
const changes: readonly Migration[] = [
  attemptLeases,
  history,
  loadedFiles,
  answerSchemas,
  processDeaths,
  inboxNotes,
  lostStarts,
  fewerTables,
  places,
  toolEffects,
  webhookReplays,
  wakingRuns,
  questions,
  shorterRows,
];

/** The versions that a database of this library has gone through, oldest first. */
export const versions: readonly Pick<Migration, "version" | "name">[] = [
  { version: FIRST_VERSION, name: "engine tables" },
  ...changes,
];

export const NEWEST_VERSION = versions.at(-1)?.version ?? FIRST_VERSION;

const recorded = migrationTable.pick("version");

/** Version of the engine tables that the rows of `_service_migrations` state; 0 for none. */
export const readVersionQuery = {
  sql: `SELECT ${recorded.names()} FROM _service_migrations ORDER BY version DESC LIMIT 1`,
  params: [],
  read: (rows: readonly SqlRow[]): number => recorded.first(rows)?.version ?? 0,
};

/** Migrations that tables of `version` still need; undefined where this library cannot bring them to its own. */
export function pendingVersions(version: number): readonly Pick<Migration, "version" | "name">[] | undefined {
  if (version > NEWEST_VERSION || version < FIRST_VERSION) return undefined;
  return versions.filter((later) => later.version > version);
}

/** @throws SERVICE_MIGRATION_REQUIRED when the database is newer than this library, or older than its first version */
export function checkVersion(version: number, path: string): void {
  if (version === 0 || pendingVersions(version) !== undefined) return;
  throw new ServiceError(
    "SERVICE_MIGRATION_REQUIRED",
    `The database ${path} has engine tables of version ${version}; this library knows versions ${FIRST_VERSION} to ${NEWEST_VERSION}. Nothing was changed.`,
    { details: { path, version, oldest: FIRST_VERSION, supported: NEWEST_VERSION } },
  );
}

/** Statements that bring the engine tables from `version` to the newest one; to be run in one transaction. */
export function migrationStatements(version: number, words: DdlWords, nowMs: number): Statement[] {
  const pending = changes.filter((change) => change.version > version);
  const texts = version === 0 ? newDatabase(words) : pending.flatMap((change) => change.statements(words));
  const passed = version === 0 ? versions : pending;
  return [
    ...texts.map((sql) => ({ sql, params: [] })),
    ...passed.map(({ version: number, name }) => ({
      sql: insertAlone(migrationTable),
      params: migrationTable.write({ version: number, name, appliedAtMs: nowMs }),
    })),
  ];
}
