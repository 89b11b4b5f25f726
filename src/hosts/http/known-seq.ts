import { ServiceError } from "../../errors/service-error.js";

/**
 * A client that has got an event which the database does not have follows another history.
 * @throws INVALID_INPUT
 */
export function refuseUnknownSeq(seq: number, newestSeq: number): void {
  if (seq <= newestSeq) return;
  throw new ServiceError(
    "INVALID_INPUT",
    `afterSeq: the newest event of the run is ${newestSeq}, not ${seq}.`,
    { details: { newestSeq } },
  );
}
