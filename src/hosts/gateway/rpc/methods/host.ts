import { z } from "zod";
import { describeHost } from "../../describe-host.js";
import { method } from "../method.js";

const nothing = z.strictObject({});

/** The gateway itself. */
export const hostMethods = {
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
