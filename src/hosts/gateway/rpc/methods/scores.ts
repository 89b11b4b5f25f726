import { z } from "zod";
import { SCORE_STATES } from "../../../../model/scorer.js";
import { listScores } from "../../../../operations/index.js";
import { given } from "../../../http/given.js";
import { method } from "../method.js";
import { iteration, limit, nodeId, runId } from "./params.js";

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
};
