import { ServiceError } from "../../errors/service-error.js";

export interface DatabaseState {
  /** Of its engine tables. */
  version: number;
  /** Migrations that bring them to this library's version, oldest first. */
  pending: readonly { version: number; name: string }[];
  /** Null where that cannot be read before the migrations are done. */
  hasRuns: boolean | null;
}

/**
 * Looks at a database without changing a byte of it: one of an older version stays as it is.
 * @throws what opening throws, SERVICE_MIGRATION_REQUIRED for a newer one
 */
export async function lookAtDatabase(path: string): Promise<DatabaseState> {
  const [{ openExisting }, { NEWEST_VERSION, pendingVersions }] = await Promise.all([
    import("../../store/open-existing.js"),
    import("../../store/migrations/migrate.js"),
  ]);
  const store = openExisting(path, { readOnly: true });
  try {
    await store.prepare();
    const runs = await store.listRuns({ limit: 1 });
    return { version: NEWEST_VERSION, pending: [], hasRuns: runs.length > 0 };
  } catch (error) {
    const { version } = (ServiceError.is(error, "SERVICE_MIGRATION_REQUIRED") ? error.details : {}) as {
      version?: number;
    };
    const pending = version === undefined ? undefined : pendingVersions(version);
    if (version === undefined || pending === undefined) throw error;
    return { version, pending, hasRuns: null };
  } finally {
    await store.close();
  }
}
