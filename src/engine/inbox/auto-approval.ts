import { type ApprovalRow, AUTO_DECIDER } from "../../model/approval.js";
import type { ApprovalDecision } from "../../model/intent.js";
import type { TaskDescriptor } from "../../model/task.js";
import { taskCacheKey, usableRow } from "../attempt/cache.js";
import type { MountedJob, Store } from "../ports.js";

/** Earlier decisions of one approval that are looked at. */
const LONGEST_HISTORY = 1_000;

/**
 * The decision an approval's own rule makes, or null when a person has to. With
 * `after: n` the rule needs n manual approvals in a row of this node in this
 * workflow; a denial starts the count again, automatic ones do not count.
 */
export async function automaticDecision(
  store: Store,
  about: { workflowName: string; task: TaskDescriptor; row: ApprovalRow },
): Promise<ApprovalDecision | null> {
  const { task, row, workflowName } = about;
  const rule = task.approvalAutoApprove;
  if (rule === undefined || rule.conditionMet === false || rule.revertOnMet === true) return null;
  const needed = rule.after ?? 0;
  if (needed > 0 && (await approvalsInARow(store, workflowName, row)) < needed) return null;
  const keys = (row.options ?? []).map((option) => option.key);
  return {
    approved: true,
    decidedBy: AUTO_DECIDER,
    ...(row.mode === "select" && keys[0] !== undefined && { selected: keys[0] }),
    ...(row.mode === "rank" && { ranked: keys }),
  };
}

/** The decision that an approval with `cache` was given before, or null when a person has to decide. */
export async function keptDecision(
  store: Store,
  job: MountedJob,
  now: number,
): Promise<ApprovalDecision | null> {
  const { task } = job;
  if (task.kind !== "approval" || task.approvalAutoApprove?.revertOnMet === true) return null;
  const key = taskCacheKey(job, store);
  const row = key === null ? null : await usableRow(await store.getCache(key), { job, store, now });
  if (row === null) return null;
  const { note, notes, decidedBy, selected, ranked } = row;
  const said = note ?? notes;
  return {
    approved: true,
    fromCache: true,
    ...(typeof said === "string" && { note: said }),
    ...(typeof decidedBy === "string" && { decidedBy }),
    ...(typeof selected === "string" && { selected }),
    ...(Array.isArray(ranked) && { ranked: ranked as string[] }),
  };
}

async function approvalsInARow(store: Store, workflowName: string, row: ApprovalRow): Promise<number> {
  const rows = await store.listApprovals({ workflowName, nodeId: row.nodeId, limit: LONGEST_HISTORY });
  const manual = rows
    .filter((earlier) => earlier.decision !== null && !earlier.autoApproved)
    .sort((a, b) => (b.decidedAtMs ?? 0) - (a.decidedAtMs ?? 0));
  const denial = manual.findIndex((earlier) => earlier.decision?.approved === false);
  return denial < 0 ? manual.length : denial;
}
