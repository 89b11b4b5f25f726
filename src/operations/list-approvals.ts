import type { ApprovalRow } from "../model/approval.js";
import type { ApprovalFilter } from "../store/contract.js";
import * as rules from "./request/check-request.js";
import { type OperationTarget, storeOf } from "./request/target.js";

const RULES: rules.RequestRules<Required<ApprovalFilter>> = {
  runId: rules.name,
  nodeId: rules.name,
  workflowName: rules.name,
  status: rules.oneOf(["requested", "approved", "denied", "withdrawn"]),
  limit: rules.positiveInteger,
};

/**
 * Approval requests, oldest first.
 * @default those that wait for a decision, at most 500
 * @throws INVALID_INPUT for a filter that is unknown or not as described
 */
export async function listApprovals(
  target: OperationTarget,
  filter: Partial<ApprovalFilter> = {},
): Promise<ApprovalRow[]> {
  rules.checkRequest("listApprovals", filter, RULES);
  const store = await storeOf(target);
  return store.listApprovals({ status: "requested", limit: 500, ...filter });
}
