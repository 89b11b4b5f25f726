import { useCallback, useMemo } from "react";
import type { GatewayMethods } from "../client/index.js";
import type { ApprovalRow } from "../model/approval.js";
import { useProvided } from "./client-provider.js";
import { lookEveryMs, type QueryResult, type ReadOptions, useQuery } from "./use-query.js";

type Approvals = GatewayMethods["listApprovals"];
type Decision = GatewayMethods["submitApproval"];

/** An answer to the question that an approval shows. */
export type Answer = Omit<Decision["params"], "runId" | "nodeId" | "iteration" | "requestHash">;

/** Requests that wait for a person, as far as they are known, and how to answer them. */
export interface ApprovalsResult extends QueryResult<Approvals["result"]> {
  /**
   * Decides what this approval asks, and nothing else: where the node asks something else by now it fails
   * with REQUEST_CHANGED, and `data` shows the new question.
   */
  decide(approval: ApprovalRow, answer: Answer): Promise<Decision["result"]>;
}

/** Requests that wait for a person, kept up to date, and how to answer. */
export function useApprovals(
  filter: Approvals["params"] = {},
  { pollMs }: ReadOptions = {},
): ApprovalsResult {
  const { client, reads } = useProvided();
  const query = useQuery(["listApprovals", filter, pollMs], () => ({
    load: (signal) => client.listApprovals(filter, { signal }),
    nextLookMs: (_approvals, isLive) => pollMs ?? lookEveryMs(isLive),
    isAbout: ({ kind }) => kind === "approvals",
  }));
  const decide = useCallback(
    async ({ runId, nodeId, iteration, requestHash }: ApprovalRow, answer: Answer) => {
      try {
        return await client.submitApproval({ runId, nodeId, iteration, requestHash, ...answer });
      } finally {
        reads.refresh();
      }
    },
    [client, reads],
  );
  return useMemo(() => ({ ...query, decide }), [query, decide]);
}
