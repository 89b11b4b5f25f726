import type { ApprovalRow } from "../model/approval.js";
import type { ApprovalFilter } from "../store/contract.js";
import { type OperationTarget, storeOf } from "./target.js";

/** Approval requests, oldest first. @default those that wait for a decision, at most 500 */
export async function listApprovals(
  target: OperationTarget,
  filter: Partial<ApprovalFilter> = {},
): Promise<ApprovalRow[]> {
  const store = await storeOf(target);
  return store.listApprovals({ status: "requested", limit: 500, ...filter });
}
