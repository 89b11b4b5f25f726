import { runTable } from "../engine-tables/runs.js";
import type { Migration } from "./dialect.js";
import { addColumn } from "./table-ddl.js";

/** A run says how many processes died while they drove it, and whether its owner drives others beside it. */
export const processDeaths: Migration = {
  version: 15,
  name: "process deaths",
  statements: (words) => ["deaths", "in_company"].map((name) => addColumn(runTable, name, words)),
};
