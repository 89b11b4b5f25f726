import { resolve } from "node:path";
import { isPostgresUrl, resolvePostgresOptions } from "./postgres/options.js";

/** A database that a person has named: a server as it is, a file by its absolute path. */
export function databaseAt(folder: string, named: string): string {
  return isPostgresUrl(named) ? named : resolve(folder, named);
}

/** Its name in messages: of a server without the password. @throws INVALID_INPUT for a URL that names no server */
export function databaseName(database: string): string {
  if (!isPostgresUrl(database)) return database;
  return resolvePostgresOptions({ connectionString: database }).path;
}
