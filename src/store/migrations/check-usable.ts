import { ServiceError } from "../../errors/service-error.js";
import { NEWEST_VERSION } from "./migrate.js";

/** The purpose of a connection. */
interface Usage {
  /** Database as messages name it. */
  path: string;
  /** Whether a new database may be made. */
  mayCreate: boolean;
  readOnly: boolean;
}

/**
 * Whether this connection may do with the database what it is for.
 * @throws STORAGE_ERROR for a database without engine tables that may not get them,
 * SERVICE_MIGRATION_REQUIRED for engine tables of an older version in front of a reader
 */
export function checkUsable(version: number, { path, mayCreate, readOnly }: Usage): void {
  if (version === 0 && !mayCreate) {
    throw new ServiceError("STORAGE_ERROR", `The database ${path} holds no runs.`, {
      retryable: false,
      details: { path, version },
    });
  }
  if (version === NEWEST_VERSION || !readOnly) return;
  throw new ServiceError(
    "SERVICE_MIGRATION_REQUIRED",
    `The database ${path} has engine tables of version ${version} and was opened for reading only; opening it for writing once brings them to version ${NEWEST_VERSION}.`,
    { details: { path, version, supported: NEWEST_VERSION } },
  );
}
