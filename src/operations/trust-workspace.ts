import { existsSync } from "node:fs";
import { ServiceError } from "../errors/service-error.js";
import { recordTrust, trustFile } from "../store/index.js";

export interface TrustResult {
  /** The path that is trusted now, without links: a database, or a folder with everything below it. */
  path: string;
  /** Where that is remembered, for this user only. */
  file: string;
}

/**
 * Lets databases be opened that others could have written.
 * @throws INVALID_INPUT for a path that does not exist; STORAGE_ERROR when the list of trust cannot be used
 */
export function trustWorkspace(path: string): TrustResult {
  if (!existsSync(path)) {
    throw new ServiceError("INVALID_INPUT", `There is nothing at ${path} that could be trusted.`, {
      details: { path },
    });
  }
  return { path: recordTrust(path), file: trustFile() };
}
