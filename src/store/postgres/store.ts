import { SqlStore } from "../logic/store.js";
import type { DerivedTables } from "../tables/derive-tables.js";
import { checkNames } from "./check-names.js";
import { PostgresConnection } from "./connection.js";
import { type PostgresOptions, resolvePostgresOptions } from "./options.js";
import { sharedPgDriver } from "./shared-driver.js";

/** A store on a Postgres server. Every method answers with a promise. */
export class PostgresStore extends SqlStore<"later"> {
  /** @throws INVALID_INPUT for options that are not valid, SCHEMA_INCOMPATIBLE for names that Postgres does not keep */
  constructor(options: PostgresOptions, tables?: DerivedTables) {
    const resolved = resolvePostgresOptions(options);
    if (tables !== undefined) checkNames(tables);
    super(
      new PostgresConnection({ ...resolved, name: "postgres", open: () => sharedPgDriver(resolved) }),
      tables,
    );
  }
}
