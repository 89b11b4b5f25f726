import { ServiceError } from "../../errors/service-error.js";
import type { RunStatus } from "../../model/run.js";
import type { RunView } from "../../operations/get-run.js";
import { listRuns } from "../../operations/get-run.js";
import type { ServiceDb } from "../../store/service-db.js";

/** Filters of commands that act on many runs. */
export interface RunSelection {
  statuses: readonly RunStatus[];
  workflow?: string;
  /** Started at least this long ago, milliseconds. */
  olderThanMs?: number;
  limit?: number;
}

/** Every run that fits, newest first, across pages. */
export async function selectRuns(db: ServiceDb, selection: RunSelection): Promise<RunView[]> {
  const { statuses, workflow, olderThanMs, limit = Number.MAX_SAFE_INTEGER } = selection;
  const runs: RunView[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await listRuns(db, {
      statuses: [...statuses],
      limit: Math.min(500, limit - runs.length),
      ...(workflow !== undefined && { workflowName: workflow }),
      ...(olderThanMs !== undefined && { createdBeforeMs: Date.now() - olderThanMs }),
      ...(typeof cursor === "string" && { cursor }),
    });
    runs.push(...page.runs);
    cursor = page.nextCursor;
  } while (cursor !== null && runs.length < limit);
  return runs;
}

/** @throws CLI_USAGE when neither a run nor any filter is given */
export function requireFilter(filters: Readonly<Record<string, unknown>>): void {
  if (Object.values(filters).some((value) => value !== undefined)) return;
  const flags = Object.keys(filters).join(", ");
  throw new ServiceError("CLI_USAGE", `Name a run, or choose runs with ${flags}.`);
}
