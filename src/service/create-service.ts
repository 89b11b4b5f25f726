import { join, resolve } from "node:path";
import type { SchemaMap } from "../model/schema.js";
import { checkOptions, refuseOption } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import {
  chosenDatabase,
  createPostgresDb,
  createSqliteDb,
  DATABASE_FILE,
  findWorkspaceFolder,
  isPostgresUrl,
  JOURNAL_MODES,
  type JournalMode,
} from "../store/index.js";
import {
  checkSchemas,
  COMMON_RULES,
  type CommonServiceOptions,
  type ServiceApi,
  serviceApi,
} from "./service-api.js";

/** Options of `createService` beside the schemas. */
export interface CreateServiceOptions extends CommonServiceOptions {
  /**
   * SQLite file, relative to the current directory, or `:memory:`.
   * @default the environment variable SERVICE_DATABASE_URL (`postgres://…`) or SERVICE_DB, else service.db of the nearest parent folder that has one (or a `.service` folder), else of the current folder
   */
  dbPath?: string;
  /** Of SQLite; a Postgres server has none. @default what the database has; "WAL" for a new one */
  journalMode?: JournalMode;
  /**
   * `full`: an acknowledged output survives a power failure. `normal`: it
   * survives a crash of the process; a power failure may take the last moments. On a Postgres server, its
   * `synchronous_commit` decides.
   * @default "full"
   */
  synchronous?: "full" | "normal";
}

const SERVICE_RULES = {
  ...COMMON_RULES,
  dbPath: rules.text,
  journalMode: rules.checked(`one of ${JOURNAL_MODES.join(", ")}`, isJournalMode),
  synchronous: rules.withDefault(rules.oneOf(["full", "normal"]), "full"),
} satisfies rules.OptionRules<CreateServiceOptions>;

/** Case does not matter. */
function isJournalMode(value: unknown): boolean {
  return rules.text.fits(value) && JOURNAL_MODES.some((mode) => mode === value.toUpperCase());
}

/**
 * The entry point of a workflow module: from schemas to typed components, tables
 * and a `service` wrapper. `input` is reserved for the run's input; every other
 * key is an output with a table of its own. Opens no database.
 *
 * @throws INVALID_INPUT for schemas or options that are not as described
 * @throws SCHEMA_INCOMPATIBLE a schema holds a type that cannot be stored
 * @throws ALERT_POLICY_INVALID from `service`
 * @example
 * const { Workflow, Task, service, outputs } = createService({ greeting: z.object({ text: z.string() }) });
 * export default service(() => (
 *   <Workflow name="hello">
 *     <Task id="greet" output={outputs.greeting}>{{ text: "hello" }}</Task>
 *   </Workflow>
 * ));
 */
export function createService<const S extends SchemaMap>(
  schemas: S,
  opts: CreateServiceOptions = {},
): ServiceApi<S> {
  checkSchemas(schemas);
  const checked = checkOptions("createService", opts, SERVICE_RULES);
  const { dbPath, journalMode, synchronous } = checked;
  const path =
    dbPath ??
    chosenDatabase() ??
    (process.env.SERVICE_DATABASE_URL || process.env.SERVICE_DB || defaultDbPath(process.cwd()));
  if (isPostgresUrl(path)) {
    if (dbPath !== undefined)
      refuseOption("dbPath", "a file; createServicePostgres takes a server", "a server");
    // The file that says `createService` is put on a server as it is.
    const place = { provider: "postgres", connectionString: path } as const;
    return serviceApi(createPostgresDb(place, schemas, { ownQueries: false }), checked);
  }
  const sqlite = { path, schemas, synchronous, ...(journalMode !== undefined && { journalMode }) };
  return serviceApi(createSqliteDb(sqlite), checked);
}

/** The workspace's database: the nearest parent folder that has one, else the current folder. */
function defaultDbPath(from: string): string {
  return join(findWorkspaceFolder(from) ?? resolve(from), DATABASE_FILE);
}
