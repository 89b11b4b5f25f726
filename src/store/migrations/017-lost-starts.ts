import { runTable } from "../engine-tables/runs.js";
import type { Migration } from "./dialect.js";
import { addColumn } from "./table-ddl.js";

/** A run says how many processes died before they wrote anything of it. */
export const lostStarts: Migration = {
  version: 17,
  name: "lost starts",
  statements: (words) => [addColumn(runTable, "lost_starts", words)],
};
