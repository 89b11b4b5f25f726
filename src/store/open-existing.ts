import { isPostgresUrl } from "./postgres/options.js";
import { PostgresStore } from "./postgres/store.js";
import { SqliteStore } from "./sqlite/store.js";

/** A person waits for a server that is away, milliseconds. */
const WAIT_MS = 5_000;

/**
 * The store of a database that must exist already, a file or `postgres://…`, without any workflow's
 * schema. Generated tables are read by what the database itself says about them;
 * `codec` and writing output rows need a schema.
 * @throws STORAGE_ERROR at the first use when there is no such database
 */
export function openExisting(
  path: string,
  options: { readOnly?: boolean } = {},
): SqliteStore | PostgresStore {
  const { readOnly = false } = options;
  if (isPostgresUrl(path)) {
    return new PostgresStore({ connectionString: path, waitMs: WAIT_MS, create: "never", readOnly });
  }
  return new SqliteStore({ path, create: "never", readOnly });
}
