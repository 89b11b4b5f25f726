import { ServiceError } from "../errors/service-error.js";
import { formatDuration } from "../util/duration.js";

/** Code that takes longer to load is reported, milliseconds; it may still come to its end. */
export const LONG_LOAD_MS = 10_000;

/** The code of a file, or of one that it imports, waits for what never comes. */
export function neverLoaded(shown: string): ServiceError {
  return new ServiceError(
    "WORKFLOW_LOAD_UNFINISHED",
    `${shown} does not finish loading: a top-level \`await\` of it, or of a file that it imports, never settles.`,
    { details: { path: shown } },
  );
}

/** It may still come to its end. @param then what becomes of it in that case, as a sentence */
export function stillLoading(shown: string, afterMs: number, then = ""): ServiceError {
  return new ServiceError(
    "WORKFLOW_LOAD_UNFINISHED",
    `${shown} is still loading after ${formatDuration(afterMs)}: a top-level \`await\` of it, or of a file that it imports, has not settled.${then === "" ? "" : ` ${then}`}`,
    { details: { path: shown, afterMs } },
  );
}
