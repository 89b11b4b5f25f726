import { isAliveAt, isOwned } from "../engine/index.js";
import { TERMINAL_STATUSES, type TerminalStatus } from "../model/run.js";
import type { RunFilter, RunPosition } from "../store/index.js";
import * as rules from "../options/option-rules.js";
import { checkOptions, refuseOption } from "../options/check-options.js";
import { type KeptRun, pruneNamed } from "./bulk/prune-named.js";
import { createFamilyCheck } from "./children/family-check.js";
import { removeLeft } from "./files/remove-left.js";
import { engineServices, type OperationTarget, storeOf } from "./request/target.js";

/** Which ended runs to delete. */
export interface PruneRequest {
  /** These runs, whenever they have ended, each with the child runs below it; goes with no other choice. @default all */
  runIds?: string[];
  /** Runs that ended at least this long ago, milliseconds. @default thirty days */
  olderThanMs?: number;
  /** How they ended. @default all four */
  statuses?: TerminalStatus[];
  /** Only runs of this workflow: the name on `<Workflow>`. @default all */
  workflowName?: string;
  /** Runs deleted at most. @default unlimited */
  limit?: number;
  /** Only say what would be deleted. @default false */
  dryRun?: boolean;
}

/** The runs that were deleted. */
export interface PruneResult {
  /** Ids of the runs that were, or would be, deleted. */
  runIds: string[];
  /** Runs that were asked for by their ids and are kept, and why; absent when there are none. */
  kept?: KeptRun[];
  /** As asked for: true when nothing was deleted. */
  dryRun: boolean;
}

/** How long ago runs ended that are deleted where nothing is said. */
export const THIRTY_DAYS_MS = 2_592_000_000;
const BATCH = 100;

const RULES = {
  runIds: rules.texts,
  olderThanMs: rules.milliseconds,
  statuses: rules.someOf(TERMINAL_STATUSES),
  workflowName: rules.name,
  limit: rules.positiveInteger,
  dryRun: rules.withDefault(rules.flag, false),
} satisfies rules.OptionRules<PruneRequest>;

/**
 * Deletes ended runs with everything that belongs to them, in batches. Runs that
 * may continue are never touched, nor are the child runs of a run that has not ended
 * as long ago, nor is one that a process is about to resume. Patches and workspaces that their sandboxes have left in the
 * runs' folders go with them, and what keeps their recorded files in a repository. Expired cached rows are deleted as well.
 * @throws INVALID_INPUT for an option that is unknown or not as described
 */
export async function pruneRuns(target: OperationTarget, request: PruneRequest = {}): Promise<PruneResult> {
  const { runIds: named, dryRun, ...choice } = checkOptions("pruneRuns", request, RULES);
  const store = await storeOf(target);
  const nowMs = engineServices(store).clock.now();
  if (named !== undefined) {
    const other = Object.entries(choice).find(([, value]) => value !== undefined);
    if (other !== undefined) refuseOption(other[0], "nothing beside runIds", other[1]);
    return { ...(await pruneNamed(store, { named, dryRun, nowMs })), dryRun };
  }
  const { workflowName, olderThanMs = THIRTY_DAYS_MS } = choice;
  const { limit = Number.POSITIVE_INFINITY, statuses = [...TERMINAL_STATUSES] } = choice;
  const finishedBeforeMs = nowMs - olderThanMs;
  const filter: RunFilter = {
    statuses,
    finishedBeforeMs,
    limit: BATCH,
    ...(workflowName !== undefined && { workflowName }),
  };
  const isFree = createFamilyCheck(store, finishedBeforeMs);
  const runIds: string[] = [];
  let after: RunPosition | undefined;
  while (runIds.length < limit) {
    const page = await store.listRuns({ ...filter, ...(after !== undefined && { after }) });
    if (page.length === 0) break;
    const batch: string[] = [];
    for (const run of page) {
      if (batch.length + runIds.length === limit) break;
      if (!isOwned(run, nowMs) && (await isFree(run))) batch.push(run.runId);
    }
    const deleted = dryRun ? batch : await store.deleteRuns(batch, isAliveAt(nowMs));
    runIds.push(...deleted);
    if (!dryRun) await removeLeft(page.filter(({ runId }) => deleted.includes(runId)));
    after = page.at(-1);
    if (page.length < BATCH) break;
  }
  if (!dryRun) await store.deleteExpiredCache(nowMs);
  return { runIds, dryRun };
}
