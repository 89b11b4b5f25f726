import { z } from "zod";
import { approveNode, denyNode, LISTED_STATUSES, signalRun } from "../../../../operations/index.js";
import { type Caller, hasScope } from "../../caller.js";
import { actorOf } from "../actor.js";
import { listAllApprovals } from "../../list-all-approvals.js";
import { given } from "../../../http/given.js";
import { method } from "../method.js";
import type { GatewayRun } from "../../workspace.js";
import { iteration, limit, nodeId, runId, workflowKey } from "./params.js";

/** Methods by which people and other programs answer waiting runs. */
export const answerMethods = {
  listApprovals: method({
    scope: "run:read",
    params: z.strictObject({
      status: z.enum(LISTED_STATUSES).optional(),
      workflow: workflowKey.optional(),
      workflowName: z.string().min(1).optional(),
      runId: runId.optional(),
      descending: z.boolean().optional(),
      limit: limit.optional(),
      cursor: z.string().optional(),
    }),
    handle: async (filter, { workspace }) => listAllApprovals(workspace, given(filter)),
  }),
  submitApproval: method({
    scope: "approval:submit",
    params: z.strictObject({
      runId,
      nodeId,
      iteration: iteration.optional(),
      approved: z.boolean(),
      note: z.string().optional(),
      decidedBy: z.string().min(1).optional(),
      selected: z.string().optional(),
      ranked: z.array(z.string()).optional(),
      data: z.unknown().optional(),
      requestHash: z.string().min(1).optional(),
    }),
    async handle({ approved, decidedBy, ...decision }, { workspace, caller }) {
      const found = await workspace.findRun(decision.runId);
      const decide = approved ? approveNode : denyNode;
      const by = actorOf(caller, { option: "decidedBy", claimed: decidedBy });
      const scopes = await decidingScopes(caller, found, decision);
      const result = await decide(found.registered?.workflow ?? found.db, {
        ...given(decision),
        ...(by !== undefined && { decidedBy: by }),
        scopes,
      });
      if (found.registered !== undefined) workspace.hosted.wake(found.db.store, decision.runId);
      return { ...result, decidedBy: by ?? null };
    },
  }),
  submitSignal: method({
    scope: "signal:submit",
    params: z.strictObject({
      runId,
      signal: z.string().min(1),
      data: z.unknown().optional(),
      correlationId: z.string().optional(),
      dryRun: z.boolean().optional(),
    }),
    async handle({ dryRun = false, ...params }, { workspace }) {
      const { registered, db } = await workspace.findRun(params.runId);
      const result = await signalRun(registered?.workflow ?? db, given(params), { dryRun });
      if (registered !== undefined && !dryRun) workspace.hosted.wake(db.store, params.runId);
      return result;
    },
  }),
};

/**
 * The caller's grants, and of the scopes that the approval names those that the grants contain: `*`
 * is the operator's word for everything. A caller without grants has none.
 */
async function decidingScopes(
  caller: Caller,
  { db, run }: GatewayRun,
  at: { nodeId: string; iteration?: number | undefined },
): Promise<string[]> {
  if (!caller.isAuthenticated) return [];
  const row = await db.store.getApproval(run.runId, at.nodeId, at.iteration ?? 0);
  const contained = (row?.allowedScopes ?? []).filter((scope) => hasScope(caller, scope));
  return [...new Set([...caller.scopes, ...contained])];
}
