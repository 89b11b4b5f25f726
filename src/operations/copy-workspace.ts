import { isOwned } from "../engine/index.js";
import { ServiceError } from "../errors/service-error.js";
import { OPEN_STATUSES } from "../model/run.js";
import { openExisting } from "../store/index.js";

export interface CopyRequest {
  /** Database to copy: a file, or `postgres://…`. */
  from: string;
  /** A file that is not there yet, or a schema of a server without runs. */
  to: string;
  /** Only check both, and count. @default false */
  dryRun?: boolean;
}

export interface TableCopy {
  table: string;
  rows: number;
}

/**
 * Copies a workspace to another database: all of it, or nothing. The runs continue there, those that were under way
 * from their last commit; the copied database stays as it is.
 * @throws RUN_STILL_RUNNING for a run that a process drives, INVALID_INPUT for a target that has content
 */
export async function copyWorkspace({ from, to, dryRun = false }: CopyRequest): Promise<TableCopy[]> {
  const { checkTarget, copyDatabase, countRows } = await import("../store/transfer/copy-database.js");
  await refuseDriven(from);
  await checkTarget(to);
  return dryRun ? countRows(from) : copyDatabase(from, to);
}

/** A run that continues in both databases would do its work twice. */
async function refuseDriven(path: string): Promise<void> {
  const store = openExisting(path, { readOnly: true });
  try {
    await store.prepare();
    const runs = await store.listRuns({ statuses: OPEN_STATUSES, limit: Number.MAX_SAFE_INTEGER });
    const driven = runs.filter((run) => isOwned(run, store.clock.now())).map(({ runId }) => runId);
    if (driven.length === 0) return;
    const names = driven.slice(0, 5).join(", ");
    throw new ServiceError(
      "RUN_STILL_RUNNING",
      `A process drives ${names}${driven.length > 5 ? ` and ${driven.length - 5} more` : ""} in ${store.path}. Stop the processes that drive its runs first: they continue from the copy.`,
      { details: { path: store.path, runIds: driven } },
    );
  } finally {
    await store.close();
  }
}
