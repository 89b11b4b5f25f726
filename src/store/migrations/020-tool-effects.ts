import { toolEffectTable } from "../engine-tables/tool-effects.js";
import type { Migration } from "./dialect.js";
import { tableDdl } from "./table-ddl.js";

/** Calls that can be undone are kept. Of those that were made before, nothing is known. */
export const toolEffects: Migration = {
  version: 20,
  name: "tool effects",
  statements: (words) => tableDdl(toolEffectTable, words),
};
