import type { EngineTable } from "../columns/row-table.js";
import { storedEventTable } from "../engine-tables/events.js";
import { storedFrameTable } from "../engine-tables/frames.js";
import { PLACES_OF_RUN } from "../engine-tables/places.js";
import type { DdlWords, Migration } from "./dialect.js";
import { tableDdl } from "./table-ddl.js";

/** Events and frames have one number that tells each from those of all runs. */
export const places: Migration = {
  version: 19,
  name: "places",
  statements: (words) => [
    ...withPlaces(storedEventTable, "seq", words),
    ...withPlaces(storedFrameTable, "frame_no", words),
  ],
};

function withPlaces(table: EngineTable, number: string, words: DdlWords): string[] {
  const { name, otherNames } = table;
  const kept = ["run_no", ...otherNames].join(", ");
  return [
    `ALTER TABLE ${name} RENAME TO ${name}_18`,
    ...tableDdl(table, words),
    `INSERT INTO ${name} (place, ${kept})
      SELECT run_no * ${PLACES_OF_RUN} + ${number}, ${kept} FROM ${name}_18 ORDER BY run_no, ${number}`,
    `DROP TABLE ${name}_18`,
  ];
}
