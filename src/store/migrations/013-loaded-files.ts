import { loadedFilesTable } from "../engine-tables/runs.js";
import type { Migration } from "./dialect.js";
import { tableDdl } from "./table-ddl.js";

/** A run knows what its code was loaded from. Of those that exist, the next resume writes it down. */
export const loadedFiles: Migration = {
  version: 13,
  name: "loaded files",
  statements: (words) => tableDdl(loadedFilesTable, words),
};
