import { ServiceError } from "../../errors/service-error.js";
import type { RunList, RunView } from "../../operations/get-run.js";
import { listRuns } from "../../operations/get-run.js";
import type { DamagedRun } from "../../operations/read/readable-rows.js";
import type { ServiceDb } from "../../store/service-db.js";
import { shownState, type ShownState, storedStatuses } from "../output/run-states.js";

/** Filters of commands that list runs, or act on many. */
export interface RunSelection {
  /** As they are shown. @default all */
  states?: readonly ShownState[] | undefined;
  workflow?: string | undefined;
  /** Started at least this long ago, milliseconds. */
  olderThanMs?: number | undefined;
  /** @default all */
  limit?: number | undefined;
  /** The page after this one. */
  cursor?: string | undefined;
}

const LARGEST_PAGE = 500;

/** The runs that fit, newest first, with the cursor of those that follow. */
export async function selectRuns(db: ServiceDb, selection: RunSelection): Promise<RunList> {
  const { states, workflow, olderThanMs, limit = Number.MAX_SAFE_INTEGER } = selection;
  const runs: RunView[] = [];
  const damaged: DamagedRun[] = [];
  let cursor: string | null | undefined = selection.cursor;
  do {
    // Never more than are still wanted: what is left over would be behind the cursor.
    const page: RunList = await listRuns(db, {
      limit: Math.min(LARGEST_PAGE, limit - runs.length),
      ...(states !== undefined && { statuses: storedStatuses(states) }),
      ...(workflow !== undefined && { workflowName: workflow }),
      ...(olderThanMs !== undefined && { createdBeforeMs: Date.now() - olderThanMs }),
      ...(typeof cursor === "string" && { cursor }),
    });
    runs.push(...page.runs.filter((run) => states === undefined || states.includes(shownState(run))));
    damaged.push(...(page.damaged ?? []));
    cursor = page.nextCursor;
  } while (cursor !== null && runs.length < limit);
  return { runs, nextCursor: cursor, ...(damaged.length > 0 && { damaged }) };
}

/** @throws CLI_USAGE when neither a run nor any filter is given */
export function requireFilter(filters: Readonly<Record<string, unknown>>): void {
  if (Object.values(filters).some((value) => value !== undefined)) return;
  const flags = Object.keys(filters).join(", ");
  throw new ServiceError("CLI_USAGE", `Name a run, or choose runs with ${flags}.`);
}
