import { storedAttemptTable } from "../engine-tables/nodes.js";
import type { Migration } from "./dialect.js";
import { addColumn } from "./table-ddl.js";

/** An attempt says in which queue it is, and which worker has it until when. */
export const attemptLeases: Migration = {
  version: 11,
  name: "attempt leases",
  statements: (words) =>
    ["owner_id", "lease_expires_at_ms", "queue"].map((name) => addColumn(storedAttemptTable, name, words)),
};
