import type { Store } from "../../../src/store/contract.js";
import { openExisting } from "../../../src/store/open-existing.js";
import { PgliteStore } from "../../../src/store/pglite/store.js";

/** Databases of these suites: a file, `postgres://…`, or a folder of PGlite behind this. */
const PGLITE = "pglite:";

export const pgliteIn = (folder: string) => `${PGLITE}${folder}`;
export const isPglite = (database: string) => database.startsWith(PGLITE);
export const folderOf = (database: string) => database.slice(PGLITE.length);

/** To be looked at while no process has it open. */
export function openToLook(database: string): Store {
  return isPglite(database)
    ? new PgliteStore(folderOf(database))
    : openExisting(database, { readOnly: true });
}
