import { z } from "zod";
import { SCORE_STATES } from "../../../../model/scorer.js";
import { listScores, scoreTrends } from "../../../../operations/index.js";
import { given } from "../../../http/given.js";
import { method } from "../method.js";
import { nameOf } from "../../registered-workflow.js";
import { iteration, limit, nodeId, runId, workflowKey } from "./params.js";

/** Methods about scores. */
export const scoreMethods = {
  listScores: method({
    scope: "run:read",
    params: z.strictObject({
      runId,
      nodeId: nodeId.optional(),
      iteration: iteration.optional(),
      scorerId: z.string().min(1).optional(),
      state: z.enum(SCORE_STATES).optional(),
      limit: limit.optional(),
      cursor: z.string().optional(),
    }),
    async handle(filter, { workspace }) {
      const { db } = await workspace.findRun(filter.runId);
      return listScores(db, given(filter));
    },
  }),

  scoreTrends: method({
    scope: "run:read",
    params: z.strictObject({
      sinceMs: z.number().int().min(0),
      workflow: workflowKey.optional(),
      workflowName: z.string().min(1).optional(),
      spans: z.number().int().min(1).max(200).optional(),
    }),
    async handle({ workflow: key, ...params }, { workspace }) {
      const registered = key === undefined ? undefined : workspace.workflow(key);
      const workflowName = registered === undefined ? params.workflowName : nameOf(registered.workflow);
      const databases = registered === undefined ? workspace.databases() : [registered.db];
      const filter = given({ ...params, workflowName: workflowName ?? undefined });
      return scoreTrends(databases, filter, workspace.clock.now());
    },
  }),
};
