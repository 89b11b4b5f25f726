import { answerSchemaTable } from "../engine-tables/answer-schemas.js";
import type { Migration } from "./dialect.js";
import { tableDdl } from "./table-ddl.js";

/** Answers are checked without the workflow's code. Waits that exist are checked by the process that drives the run. */
export const answerSchemas: Migration = {
  version: 14,
  name: "answer schemas",
  statements: (words) => tableDdl(answerSchemaTable, words),
};
