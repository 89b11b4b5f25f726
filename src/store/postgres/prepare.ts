import { ServiceError } from "../../errors/service-error.js";
import { runLater } from "../logic/answer.js";
import { read, write } from "../logic/work.js";
import { checkUsable } from "../migrations/check-usable.js";
import {
  checkVersion,
  migrationStatements,
  NEWEST_VERSION,
  readVersionQuery,
} from "../migrations/migrate.js";
import type { Query, Work } from "../sql-port.js";
import { POSTGRES_WORDS } from "./dialect.js";
import { MEANINGS_TO_GET, makeMeanings } from "./meanings.js";
import type { PostgresPort } from "./port.js";
import { toSent } from "./statement-text.js";

/** Facts about a server and its database. */
interface Place {
  version: number;
  encoding: string;
  /** Where tables are looked for and made; null: nowhere. */
  schema: string | null;
  hasEngineTables: boolean;
  /** A standby, or a server that is being restored. */
  isInRecovery: boolean;
  /** The schema of pgvector where the vectors of memory are to be compared by it from now on. */
  meaningsToGet: string | null;
}

/** The oldest whose SQL and functions are all used here. */
const OLDEST_SERVER = 14;

const PLACE: Query<Place> = {
  sql: `SELECT current_setting('server_version_num')::int / 10000, current_setting('server_encoding'),
    current_schema()::text, to_regclass(quote_ident(current_schema()) || '._service_migrations') IS NOT NULL,
    pg_is_in_recovery(), ${MEANINGS_TO_GET}`,
  params: [],
  read: ([row = []]) => ({
    version: row[0] as number,
    encoding: row[1] as string,
    schema: row[2] as string | null,
    hasEngineTables: row[3] === 1,
    isInRecovery: row[4] === 1,
    meaningsToGet: row[5] as string | null,
  }),
};

/** Any number that no other program takes for the same: the first bytes of a hash of the library's name. */
export const MIGRATION_LOCK = toSent("SELECT pg_advisory_xact_lock(7310597, hashtext(current_schema()))", []);

interface Preparation {
  path: string;
  mayCreate: boolean;
  readOnly: boolean;
  nowMs: number;
  makeTables: () => Work<void>;
}

/**
 * Brings the engine tables to what this library wants, one process after the other, and runs `makeTables`.
 * @returns the schema that they are in
 * @throws STORAGE_ERROR for a database that cannot hold them, DB_CONNECTION_LOST for a standby that is to be written to,
 *   SERVICE_MIGRATION_REQUIRED
 */
export async function prepareDatabase(port: PostgresPort, preparation: Preparation): Promise<string> {
  const { makeTables, path, readOnly } = preparation;
  const rows = await port.all(PLACE.sql, PLACE.params);
  const place = PLACE.read(rows);
  const schema = checkPlace(place, path);
  if (place.isInRecovery && !readOnly) throw standby(path);
  const version = place.hasEngineTables ? await currentVersion(port, path) : 0;
  checkUsable(version, preparation);
  if ((version !== NEWEST_VERSION || place.meaningsToGet !== null) && !readOnly)
    await port.migration(MIGRATION_LOCK, () => migrate(preparation));
  await runLater(port, makeTables());
  return schema;
}

async function currentVersion(port: PostgresPort, path: string): Promise<number> {
  const version = readVersionQuery.read(await port.all(readVersionQuery.sql, readVersionQuery.params));
  checkVersion(version, path);
  return version;
}

function* migrate({ path, nowMs }: Preparation): Work<void> {
  // Another process may have done the work while this one waited for the lock.
  const { hasEngineTables, meaningsToGet } = yield* read(PLACE);
  const version = hasEngineTables ? yield* read(readVersionQuery) : 0;
  checkVersion(version, path);
  if (version !== NEWEST_VERSION) yield* write(migrationStatements(version, POSTGRES_WORDS, nowMs));
  if (meaningsToGet !== null) yield* write(makeMeanings(meaningsToGet).map((sql) => ({ sql, params: [] })));
}

function checkPlace({ version, encoding, schema }: Place, path: string): string {
  if (version < OLDEST_SERVER) {
    throw refused(path, `its server is Postgres ${version}; ${OLDEST_SERVER} or newer is needed`);
  }
  if (encoding !== "UTF8") {
    throw refused(path, `its encoding is ${encoding}; create it with ENCODING 'UTF8'`);
  }
  if (schema === null) throw refused(path, "no schema of its search_path exists; create one");
  return schema;
}

function standby(path: string): ServiceError {
  return new ServiceError(
    "DB_CONNECTION_LOST",
    `The database ${path} takes no writes: its server is a standby, or in recovery. Connect to the primary.`,
    { details: { path } },
  );
}

function refused(path: string, why: string): ServiceError {
  return new ServiceError("STORAGE_ERROR", `The database ${path} cannot be used: ${why}.`, {
    retryable: false,
    details: { path },
  });
}
