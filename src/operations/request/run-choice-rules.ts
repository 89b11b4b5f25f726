import * as rules from "../../options/option-rules.js";
import { isPlainObject } from "../../util/same-data.js";

/** What a run is annotated with, and chosen by. */
export const annotations = rules.checked<Record<string, string | number | boolean>>(
  "an object of texts, numbers, true and false",
  (value) => isPlainObject(value) && Object.values(value).every(isScalar),
);

const LONGEST_TEXT = 256;

/** A text that runs are searched for. No database has texts with the character of number 0. */
export const searchedText = rules.checked<string>(
  `a string of 1 to ${LONGEST_TEXT} characters, none of them NUL`,
  (value) =>
    typeof value === "string" && value !== "" && value.length <= LONGEST_TEXT && !value.includes("\0"),
);

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}
