import { engineTables } from "../engine-tables/all.js";
import type { DdlWords } from "./dialect.js";
import { tableDdl } from "./table-ddl.js";

/** Of the facts' words; every database has its own kind of index for them. */
export const MEMORY_WORDS = "_service_memory_words";

/**
 * Everything that a new database gets: the tables as they are described now, so none of the later steps is needed.
 *
 * Rows of a run carry its number (`run_no`), not its id: a small integer keeps keys short, and these tables are
 * written on every step.
 */
export function newDatabase(words: DdlWords): string[] {
  return [...engineTables.flatMap((table) => tableDdl(table, words)), ...words.wordIndex(MEMORY_WORDS)];
}
