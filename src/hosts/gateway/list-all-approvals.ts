import type {
  GatewayApproval,
  GatewayApprovalFilter,
  GatewayApprovalPage,
} from "../../client/gateway-filters.js";
import type { ApprovalRow } from "../../model/approval.js";
import { approvalCursor, type ApprovalPageFilter, pageApprovals } from "../../operations/index.js";
import type { ServiceDb } from "../../store/index.js";
import { markOf } from "./registered-workflow.js";
import type { GatewayWorkspace } from "./workspace.js";

const DEFAULT_PAGE = 50;
/** Rows that one request looks at for those of one workflow. */
const MOST_LOOKED_AT = 5_000;

/**
 * Requests of all databases in one list, longest waiting first unless `descending`. A page may be short of its limit when few
 * are of the workflow; only without `nextCursor` it is the last one.
 * @throws WORKFLOW_NOT_FOUND, INVALID_INPUT
 */
export async function listAllApprovals(
  workspace: GatewayWorkspace,
  { workflow: key, ...filter }: GatewayApprovalFilter,
): Promise<GatewayApprovalPage> {
  const { limit = DEFAULT_PAGE } = filter;
  if (key === undefined) return pageOf(workspace, workspace.databases(), { ...filter, limit });
  const { db } = workspace.workflow(key);
  const kept: GatewayApprovalPage = { approvals: [], nextCursor: null };
  let { cursor } = filter;
  for (let lookedAt = 0; ; ) {
    const at = cursor === undefined ? {} : { cursor };
    const page = await pageOf(workspace, [db], { ...filter, ...at, limit });
    const ofKey = page.approvals.filter((row) => row.workflowKey === key);
    kept.approvals.push(...ofKey.slice(0, limit - kept.approvals.length));
    if (page.damaged !== undefined) kept.damaged = [...(kept.damaged ?? []), ...page.damaged];
    lookedAt += page.approvals.length;
    const last = kept.approvals.at(-1);
    const isFull = kept.approvals.length === limit;
    if (isFull && last !== undefined && last !== page.approvals.at(-1)) {
      return { ...kept, nextCursor: approvalCursor(last) };
    }
    if (isFull || page.nextCursor === null || lookedAt >= MOST_LOOKED_AT) {
      return { ...kept, nextCursor: page.nextCursor };
    }
    cursor = page.nextCursor;
  }
}

async function pageOf(
  workspace: GatewayWorkspace,
  databases: readonly ServiceDb[],
  filter: ApprovalPageFilter & { limit: number },
): Promise<GatewayApprovalPage> {
  const pages = await Promise.all(
    databases.map(async (db) => {
      const page = await pageApprovals(db, filter);
      return { ...page, approvals: await withKeys(workspace, db, page.approvals) };
    }),
  );
  const inOrder = filter.descending === true ? newestFirst : longestWaitingFirst;
  // Nothing is shown from beyond the end of a page that has a next one: what follows there comes first.
  const [horizon] = pages
    .flatMap(({ approvals, nextCursor }) => (nextCursor === null ? [] : approvals.slice(-1)))
    .sort(inOrder);
  const all = pages
    .flatMap(({ approvals }) => approvals)
    .sort(inOrder)
    .filter((row) => horizon === undefined || inOrder(row, horizon) <= 0);
  const approvals = all.slice(0, filter.limit);
  const hasMore = all.length > approvals.length || pages.some(({ nextCursor }) => nextCursor !== null);
  const last = approvals.at(-1);
  const damaged = pages.flatMap((page) => page.damaged ?? []);
  return {
    approvals,
    nextCursor: hasMore && last !== undefined ? approvalCursor(last) : null,
    ...(damaged.length > 0 && { damaged }),
  };
}

async function withKeys(
  workspace: GatewayWorkspace,
  { store }: ServiceDb,
  rows: readonly ApprovalRow[],
): Promise<GatewayApproval[]> {
  const keys = new Map<string, string | null>();
  for (const { runId } of rows) {
    if (keys.has(runId)) continue;
    const run = await store.getRun(runId);
    keys.set(runId, run === undefined ? null : (workspace.workflowOf(markOf(run), store)?.key ?? null));
  }
  return rows.map((row) => ({ ...row, workflowKey: keys.get(row.runId) ?? null }));
}

/** As the databases order them: texts by their bytes. */
function longestWaitingFirst(a: ApprovalRow, b: ApprovalRow): number {
  return (
    a.requestedAtMs - b.requestedAtMs ||
    Buffer.compare(Buffer.from(a.runId), Buffer.from(b.runId)) ||
    Buffer.compare(Buffer.from(a.nodeId), Buffer.from(b.nodeId)) ||
    a.iteration - b.iteration
  );
}

const newestFirst = (a: ApprovalRow, b: ApprovalRow): number => longestWaitingFirst(b, a);
