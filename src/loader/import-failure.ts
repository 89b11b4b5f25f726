import { ensureError } from "../errors/ensure-error.js";
import { ServiceError } from "../errors/service-error.js";
import { sourcePlaces } from "./source-place.js";

/**
 * What a workflow module threw while it ran, told from the author's point of
 * view. An error of the library keeps its code and gains the place.
 */
export function importFailure(thrown: unknown, { shown, cwd }: { shown: string; cwd: string }): ServiceError {
  const place = sourcePlaces(thrown, cwd)[0];
  const where = place ?? shown;
  if (ServiceError.is(thrown)) {
    return new ServiceError(thrown.code, `${where}: ${thrown.summary}`, {
      details: { ...thrown.details, path: shown, ...(place !== undefined && { at: place }) },
      cause: thrown,
    });
  }
  const error = ensureError(thrown);
  return new ServiceError(
    "WORKFLOW_LOAD_FAILED",
    `${shown} failed while it was loaded: ${reason(error, where)}.`,
    {
      details: { path: shown, ...(place !== undefined && { at: place }) },
      cause: error,
    },
  );
}

function reason(error: Error, where: string): string {
  const missing = /requested module '([^']+)' does not provide an export named '([^']+)'/.exec(error.message);
  if (missing !== null) return `${packageOf(missing[1] as string)} does not export ${missing[2]}`;
  return `${error.name}: ${error.message.replace(/\.$/, "")} (${where})`;
}

/** `zod` of `file:///…/node_modules/zod/index.js`. */
function packageOf(specifier: string): string {
  const inside = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(specifier)?.[1];
  return inside ?? (specifier.startsWith("file:") ? "treadle" : specifier);
}
