import type { Migration } from "./dialect.js";

/** Which generated tables have a checksum in each row. Tables get the column when their workflow opens them next. */
export const checksums: Migration = {
  version: 4,
  name: "checksums",
  statements: ({ integer }) => [
    `ALTER TABLE _service_output_tables ADD COLUMN checksummed ${integer} NOT NULL DEFAULT 0`,
  ],
};
