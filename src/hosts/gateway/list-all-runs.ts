import {
  listRuns,
  runCursor,
  type RunList,
  type RunListFilter,
  type RunView,
} from "../../operations/index.js";
import type { ServiceDb } from "../../store/index.js";
import { nameOf } from "./registered-workflow.js";
import type { GatewayWorkspace } from "./workspace.js";

/** Of runs of all databases, or of one registered workflow. */
interface AllRunsFilter extends RunListFilter {
  /** Key of the workflow. @default all */
  workflow?: string;
}

const DEFAULT_PAGE = 50;
/** Rows that one request looks at for the runs of one workflow. */
const MOST_LOOKED_AT = 5_000;

/**
 * Runs of all databases in one list, newest first. A page may be short of its limit when few runs are of the
 * workflow; only without `nextCursor` it is the last one.
 * @throws WORKFLOW_NOT_FOUND, INVALID_INPUT
 */
export async function listAllRuns(workspace: GatewayWorkspace, filter: AllRunsFilter): Promise<RunList> {
  const { workflow: key, limit = DEFAULT_PAGE, ...query } = filter;
  if (key === undefined) return pageOf(workspace, workspace.databases(), { ...query, limit });
  const { workflow, db } = workspace.workflow(key);
  const name = nameOf(workflow);
  // Another key, or another program, may use the name as well.
  const narrowed = {
    ...query,
    ...(name !== null && query.workflowName === undefined && { workflowName: name }),
  };
  const kept: RunList = { runs: [], nextCursor: null };
  let { cursor } = query;
  for (let lookedAt = 0; ; ) {
    const page = await pageOf(workspace, [db], {
      ...narrowed,
      limit,
      ...(cursor !== undefined && { cursor }),
    });
    const ofKey = page.runs.filter((run) => run.workflowKey === key);
    kept.runs.push(...ofKey.slice(0, limit - kept.runs.length));
    if (page.damaged !== undefined) kept.damaged = [...(kept.damaged ?? []), ...page.damaged];
    lookedAt += page.runs.length;
    const last = kept.runs.at(-1);
    if (kept.runs.length === limit && last !== undefined && last !== page.runs.at(-1)) {
      return { ...kept, nextCursor: runCursor(last) };
    }
    if (page.nextCursor === null || kept.runs.length === limit || lookedAt >= MOST_LOOKED_AT) {
      return { ...kept, nextCursor: page.nextCursor };
    }
    cursor = page.nextCursor;
  }
}

/** A page of several databases: a cursor says where it ended in all of them. */
async function pageOf(
  workspace: GatewayWorkspace,
  databases: readonly ServiceDb[],
  filter: RunListFilter & { limit: number },
): Promise<RunList> {
  const pages = await Promise.all(
    databases.map(async (db) => {
      const { runs, ...page } = await listRuns(db, filter);
      return { ...page, runs: runs.map((run) => withKey(workspace, db, run)) };
    }),
  );
  const all = pages.flatMap(({ runs }) => runs).sort(newestFirst);
  const runs = all.slice(0, filter.limit);
  const hasMore = all.length > runs.length || pages.some(({ nextCursor }) => nextCursor !== null);
  const last = runs.at(-1);
  const damaged = pages.flatMap((page) => page.damaged ?? []);
  return {
    runs,
    nextCursor: hasMore && last !== undefined ? runCursor(last) : null,
    ...(damaged.length > 0 && { damaged }),
  };
}

function withKey(workspace: GatewayWorkspace, { store }: ServiceDb, run: RunView): RunView {
  return { ...run, workflowKey: workspace.workflowOf(run, store)?.key ?? null };
}

/** As the databases order them: ids by their bytes. */
function newestFirst(a: RunView, b: RunView): number {
  return b.createdAtMs - a.createdAtMs || Buffer.compare(Buffer.from(b.runId), Buffer.from(a.runId));
}
