import { SqlStore } from "../logic/store.js";
import type { DerivedTables } from "../tables/derive-tables.js";
import { checkNames } from "./check-names.js";
import { PostgresConnection } from "./connection.js";
import { PostgresFleet } from "./fleet/fleet.js";
import { type PostgresOptions, type ResolvedPostgresOptions, resolvePostgresOptions } from "./options.js";
import { shareDriver } from "./shared-driver.js";

/** A store on a Postgres server. Every method answers with a promise. */
export class PostgresStore extends SqlStore<"later"> {
  readonly connection: PostgresConnection;
  readonly fleet: PostgresFleet;

  /** @throws INVALID_INPUT for options that are not valid, SCHEMA_INCOMPATIBLE for names that Postgres does not keep */
  constructor(options: PostgresOptions, tables?: DerivedTables) {
    const resolved = resolvePostgresOptions(options);
    if (tables !== undefined) checkNames(tables);
    const open = () => shareDriver(keyOf(resolved), () => openPool(resolved));
    const connection = new PostgresConnection({ ...resolved, name: "postgres", open });
    super(connection, tables);
    this.connection = connection;
    this.fleet = new PostgresFleet(connection, resolved);
  }
}

async function openPool(options: ResolvedPostgresOptions) {
  const { PgDriver } = await import("./pg-driver.js");
  return new PgDriver(options);
}

/** A password that is asked for is asked for by each handle. */
function keyOf({ client, poolSize, readOnly, waitMs, answerMs }: ResolvedPostgresOptions): string | symbol {
  if (typeof client.password === "function") return Symbol("a pool of its own");
  return JSON.stringify([client, poolSize, readOnly, waitMs, answerMs]);
}
