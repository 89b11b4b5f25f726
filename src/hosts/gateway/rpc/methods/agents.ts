import { z } from "zod";
import { agentActivity } from "../../../../operations/index.js";
import { method } from "../method.js";

const DAY_MS = 86_400_000;

/** Methods about the agents that runs ask. */
export const agentMethods = {
  agentActivity: method({
    scope: "run:read",
    params: z.strictObject({ sinceMs: z.number().int().min(0).optional() }),
    handle: async ({ sinceMs }, { workspace }) =>
      agentActivity(workspace.databases(), sinceMs ?? workspace.clock.now() - 7 * DAY_MS),
  }),

  checkAgents: method({
    scope: "run:read",
    params: z.strictObject({}),
    handle: async (_params, { agentChecks }) => agentChecks.read(),
  }),
};
