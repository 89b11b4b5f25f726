import type { ApprovalRow } from "../../model/approval.js";
import type { Remedy } from "../../model/remedy.js";

export type ApproveRemedy = Extract<Remedy, { action: "approve" }>;

/** The facts that a decision on this request needs. */
export function approveRemedy(row: ApprovalRow): ApproveRemedy {
  const { runId, nodeId, iteration, requestHash, mode, options, allowedUsers, allowedScopes } = row;
  return {
    action: "approve",
    runId,
    nodeId,
    iteration,
    requestHash,
    mode,
    ...(options !== null && options.length > 0 && { options: options.map(({ key }) => key) }),
    ...(row.request.asksForData === true && { asksForData: true as const }),
    ...(allowedUsers !== null && allowedUsers.length > 0 && { allowedUsers }),
    ...(allowedScopes !== null && allowedScopes.length > 0 && { allowedScopes }),
  };
}
