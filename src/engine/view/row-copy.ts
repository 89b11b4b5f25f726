import type { OutputRow } from "../../model/schema.js";
import { addressed } from "../../store/index.js";
import { ownCopy } from "../../util/own-copy.js";

/** A row for the author's code, which may change it: the run's own stays what is stored. */
export function rowCopy(row: OutputRow): OutputRow {
  return addressed(ownCopy(row), row);
}
