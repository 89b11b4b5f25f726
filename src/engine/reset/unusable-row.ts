import { ServiceError } from "../../errors/service-error.js";
import { taskKey, type TaskPlace } from "../../model/address.js";

/** Whether a frame cannot be drawn because of a stored row, and of this one if a place is given. */
export function isAboutRow(thrown: unknown, place?: TaskPlace): boolean {
  if (!ServiceError.is(thrown, "INVALID_OUTPUT")) return false;
  const row = thrown.details?.["storedRow"] as TaskPlace | undefined;
  return row !== undefined && (place === undefined || taskKey(row) === taskKey(place));
}
