import { ServiceError } from "../../errors/service-error.js";
import { shorten } from "../../util/bounded-text.js";

/** The position that the cursor of a page is: JSON of a list. Empty for what is no list. */
export function cursorParts(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(cursor);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** The error for a cursor that no page of `what` has given, such as `facts`. */
export function wrongCursor(cursor: string, what: string): ServiceError {
  return new ServiceError(
    "INVALID_INPUT",
    `The cursor ${JSON.stringify(shorten(cursor, 80))} is not one of a page of ${what}.`,
    { details: { issues: [{ path: "cursor", message: "expected the nextCursor of a page" }] } },
  );
}
