import { questionTable } from "../engine-tables/questions.js";
import type { Migration } from "./dialect.js";
import { tableDdl } from "./table-ddl.js";

/** What agents are asked is kept. Of the attempts before, it is not known. */
export const questions: Migration = {
  version: 23,
  name: "questions",
  statements: (words) => tableDdl(questionTable, words),
};
