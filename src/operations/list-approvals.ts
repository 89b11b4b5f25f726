import type { ApprovalRow } from "../model/approval.js";
import type { ApprovalFilter } from "../store/contract.js";
import * as rules from "../options/option-rules.js";
import { checkOptions } from "../options/check-options.js";
import { type OperationTarget, storeOf } from "./request/target.js";

export type ApprovalListFilter = Partial<Omit<ApprovalFilter, "unanswered">>;

const RULES: rules.OptionRules<ApprovalListFilter> = {
  runId: rules.name,
  nodeId: rules.name,
  workflowName: rules.name,
  status: rules.oneOf(["requested", "approved", "denied", "withdrawn"]),
  limit: rules.positiveInteger,
};

/**
 * Approval requests, oldest first. One that somebody has decided waits for nobody any more, also
 * before a process has taken the decision up.
 * @default those that wait for a decision, at most 500
 * @throws INVALID_INPUT for a filter that is unknown or not as described
 */
export async function listApprovals(
  target: OperationTarget,
  filter: ApprovalListFilter = {},
): Promise<ApprovalRow[]> {
  checkOptions("listApprovals", filter, RULES);
  const store = await storeOf(target);
  const { status } = { status: "requested" as const, ...filter };
  return store.listApprovals({
    limit: 500,
    ...filter,
    ...(status !== undefined && { status }),
    ...(status === "requested" && { unanswered: true }),
  });
}
