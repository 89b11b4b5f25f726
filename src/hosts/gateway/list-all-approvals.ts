import type { ApprovalRow } from "../../model/approval.js";
import { type ApprovalListFilter, listApprovals } from "../../operations/list-approvals.js";
import type { ServiceDb } from "../../store/service-db.js";
import { markOf } from "./registered-workflow.js";
import type { GatewayWorkspace } from "./workspace.js";

export interface AllApprovalsFilter
  extends Pick<ApprovalListFilter, "status" | "workflowName" | "runId" | "limit"> {
  /** Key of a registered workflow. */
  workflow?: string;
}

export interface ListedApproval extends ApprovalRow {
  /** Key of the run's workflow; null when that is not registered. */
  workflowKey: string | null;
}

const DEFAULT_PAGE = 500;
/** Requests of one database that are looked at for those of one workflow. */
const MOST_LOOKED_AT = 5_000;

/** Requests of all databases, oldest first. @throws WORKFLOW_NOT_FOUND, INVALID_INPUT */
export async function listAllApprovals(
  workspace: GatewayWorkspace,
  { workflow: key, limit = DEFAULT_PAGE, ...filter }: AllApprovalsFilter,
): Promise<ListedApproval[]> {
  const databases = key === undefined ? workspace.databases() : [workspace.workflow(key).db];
  const reach = key === undefined ? limit : MOST_LOOKED_AT;
  const found = await Promise.all(
    databases.map(async (db) =>
      withKeys(workspace, db, await listApprovals(db, { ...filter, limit: reach })),
    ),
  );
  return found
    .flat()
    .filter((row) => key === undefined || row.workflowKey === key)
    .sort((a, b) => a.requestedAtMs - b.requestedAtMs)
    .slice(0, limit);
}

async function withKeys(
  workspace: GatewayWorkspace,
  { store }: ServiceDb,
  rows: readonly ApprovalRow[],
): Promise<ListedApproval[]> {
  const keys = new Map<string, string | null>();
  for (const { runId } of rows) {
    if (keys.has(runId)) continue;
    const run = await store.getRun(runId);
    keys.set(runId, run === undefined ? null : (workspace.workflowOf(markOf(run), store)?.key ?? null));
  }
  return rows.map((row) => ({ ...row, workflowKey: keys.get(row.runId) ?? null }));
}
