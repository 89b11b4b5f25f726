import type { SchemaMap } from "../model/schema.js";
import { checkOptions, refuseOption } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import {
  createPostgresDb,
  type PostgresConnectionOptions,
  type PostgresPlace,
  type PostgresWorkflowDatabase,
} from "../store/index.js";
import {
  checkSchemas,
  COMMON_RULES,
  type CommonServiceOptions,
  type ServiceApi,
  serviceApi,
} from "./service-api.js";

/** Options of `createServicePostgres` beside the schemas. */
export interface CreateServicePostgresOptions extends CommonServiceOptions, PostgresConnectionOptions {
  /** `postgres`: a server, by `connectionString` or `connection`. `pglite`: Postgres inside this process. @default "postgres" */
  provider?: "postgres" | "pglite";
  /** Of PGlite: a folder, which one process at a time has open. @default in memory */
  dataDir?: string;
}

const POSTGRES_RULES = {
  ...COMMON_RULES,
  provider: rules.withDefault(rules.oneOf(["postgres", "pglite"]), "postgres"),
  connectionString: rules.secret(rules.text),
  connection: rules.secret(rules.record) as rules.OptionRule<
    NonNullable<PostgresConnectionOptions["connection"]>
  >,
  poolSize: rules.withDefault(rules.positiveInteger, 10),
  waitMs: rules.withDefault(rules.milliseconds, 30_000),
  answerMs: rules.withDefault(rules.positiveInteger, 15_000),
  dataDir: rules.text,
} satisfies rules.OptionRules<CreateServicePostgresOptions>;

/** The result of `createServicePostgres`. */
export interface ServicePostgresApi<S extends SchemaMap> extends ServiceApi<S, PostgresWorkflowDatabase> {
  /** Closes the connections, for good: the workflow value is of no use afterwards. Calling it twice is allowed. */
  close(): Promise<void>;
}

/**
 * As `createService`, on a Postgres server or on PGlite: connects, and makes the tables of the schemas. The packages
 * `pg` and `@electric-sql/pglite` are installed beside treadle.
 *
 * @throws INVALID_INPUT, SCHEMA_INCOMPATIBLE as `createService`, for names that Postgres cannot give too
 * @throws DB_DRIVER_MISSING, DB_CONNECTION_LOST when the server cannot be reached, STORAGE_ERROR when it refuses
 * @throws DB_SCHEMA_CONFLICT when rows of the database do not fit the schemas
 * @example
 * const { Workflow, Task, service, outputs } = await createServicePostgres(
 *   { greeting: z.object({ text: z.string() }) },
 *   { connectionString: process.env.DATABASE_URL },
 * );
 */
export async function createServicePostgres<const S extends SchemaMap>(
  schemas: S,
  opts: CreateServicePostgresOptions = {},
): Promise<ServicePostgresApi<S>> {
  checkSchemas(schemas);
  const checked = checkOptions("createServicePostgres", opts, POSTGRES_RULES);
  const database = createPostgresDb(placeOf(opts, checked), schemas);
  try {
    await database.prepare();
  } catch (error) {
    await database.store.close();
    throw error;
  }
  const api = serviceApi<S, PostgresWorkflowDatabase>(database, checked);
  return { ...api, close: () => database.store.close() };
}

/** @throws INVALID_INPUT for options that do not belong to the provider, or a server that is not named */
function placeOf(given: CreateServicePostgresOptions, options: CreateServicePostgresOptions): PostgresPlace {
  const { provider, connectionString, connection, poolSize, waitMs, answerMs, dataDir } = options;
  if (provider === "pglite") {
    for (const option of ["connectionString", "connection", "poolSize", "waitMs", "answerMs"] as const) {
      if (given[option] !== undefined) refuseOption(option, "nothing: PGlite has no server", given[option]);
    }
    return { provider, ...(dataDir !== undefined && { dataDir }) };
  }
  if (dataDir !== undefined) refuseOption("dataDir", "nothing: it is of the provider pglite", dataDir);
  if (connectionString !== undefined && connection !== undefined) {
    refuseOption("connection", "nothing beside connectionString", "both");
  }
  const named =
    connectionString ??
    (connection === undefined ? process.env.SERVICE_DATABASE_URL || undefined : undefined);
  if (named === undefined && connection === undefined) {
    refuseOption(
      "connectionString",
      "postgres://…, `connection`, or the variable SERVICE_DATABASE_URL",
      undefined,
    );
  }
  return {
    provider: "postgres",
    ...(named !== undefined && { connectionString: named }),
    ...(connection !== undefined && { connection }),
    ...(poolSize !== undefined && { poolSize }),
    ...(waitMs !== undefined && { waitMs }),
    ...(answerMs !== undefined && { answerMs }),
  };
}
