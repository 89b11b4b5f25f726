import { z } from "zod";
import { describeHost } from "../../describe-host.js";
import { hostStatus } from "../../host-status.js";
import { method } from "../method.js";

const nothing = z.strictObject({});

/** The gateway itself. */
export const hostMethods = {
  hostStatus: method({
    scope: "run:read",
    params: nothing,
    handle: async (_params, ctx) => hostStatus(ctx),
  }),

  health: method({
    scope: null,
    params: nothing,
    handle: async (_params, ctx) => ({
      ...(await describeHost(ctx, ctx.caller)),
      methods: ctx.methodNames(),
      caller: ctx.caller.isAuthenticated ? ctx.caller.triggeredBy : null,
      missingScopes: ctx.missingScopes(),
    }),
  }),
};
