import type { RunWait } from "../../model/run.js";
import type { RunList, RunListFilter, RunView } from "../get-run.js";
import type { DamagedRun } from "../read/readable-rows.js";
import { type ShownState, shownState, storedStatuses } from "../read/shown-states.js";

/** Which runs to list, or to act on. */
export interface RunSelection {
  /** As they are shown. @default all */
  states?: readonly ShownState[] | undefined;
  workflow?: string | undefined;
  /** As `RunListFilter` has it. */
  withFailures?: boolean | undefined;
  /** As `RunListFilter` has it. */
  waitsFor?: RunWait[] | undefined;
  /** As `RunListFilter` has it. */
  text?: string | undefined;
  /** As `RunListFilter` has it. */
  annotations?: Record<string, string> | undefined;
  /** As `RunListFilter` has it. */
  olderThanMs?: number | undefined;
  /** @default all */
  limit?: number | undefined;
  /** The page after this one. */
  cursor?: string | undefined;
}

const LARGEST_PAGE = 500;

/**
 * The runs that fit, newest first, with the cursor of those that follow.
 * @param list gives a page: of a database, or of a gateway
 */
export async function selectRuns(
  list: (filter: RunListFilter) => Promise<RunList>,
  selection: RunSelection,
): Promise<RunList> {
  const {
    states,
    workflow,
    olderThanMs,
    withFailures,
    waitsFor,
    text,
    annotations,
    limit = Number.MAX_SAFE_INTEGER,
  } = selection;
  const runs: RunView[] = [];
  const damaged: DamagedRun[] = [];
  let cursor: string | null | undefined = selection.cursor;
  do {
    // Never more than are still wanted: what is left over would be behind the cursor.
    const page: RunList = await list({
      limit: Math.min(LARGEST_PAGE, limit - runs.length),
      ...(states !== undefined && { statuses: storedStatuses(states) }),
      ...(workflow !== undefined && { workflowName: workflow }),
      ...(olderThanMs !== undefined && { olderThanMs }),
      ...(withFailures !== undefined && { withFailures }),
      ...(waitsFor !== undefined && { waitsFor }),
      ...(text !== undefined && { text }),
      ...(annotations !== undefined && { annotations }),
      ...(typeof cursor === "string" && { cursor }),
    });
    runs.push(...page.runs.filter((run) => states === undefined || states.includes(shownState(run))));
    damaged.push(...(page.damaged ?? []));
    cursor = page.nextCursor;
  } while (cursor !== null && runs.length < limit);
  return { runs, nextCursor: cursor, ...(damaged.length > 0 && { damaged }) };
}
