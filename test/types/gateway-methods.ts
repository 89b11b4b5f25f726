/** Compiled, never run. */
import { z } from "zod";
import { createClient } from "../../src/client/index.js";
import { type AsTold, method } from "../../src/hosts/gateway/rpc/method.js";

// Params and results of a gateway are held to the clients' table.

type Fits<Table, M extends keyof AsTold<Table>> = Table extends { [K in M]: AsTold<Table>[M] } ? true : false;

function table<P, R>(params: z.ZodType<P>, result: R) {
  return { cancelRun: method({ scope: null, params, handle: async () => result }) };
}

const result = { runId: "r", status: "cancelled" as "cancelled" | "cancelling", seq: null as number | null };
const params = z.strictObject({ runId: z.string(), reason: z.string().optional() });

const asTold = table(params, result);
true satisfies Fits<typeof asTold, "cancelRun">;

const takesMore = table(params.extend({ force: z.boolean().optional() }), result);
false satisfies Fits<typeof takesMore, "cancelRun">;

const takesLess = table(params.omit({ reason: true }), result);
false satisfies Fits<typeof takesLess, "cancelRun">;

const answersMore = table(params, { ...result, at: 1 });
false satisfies Fits<typeof answersMore, "cancelRun">;

const answersOtherwise = table(params, { ...result, runId: 1 });
false satisfies Fits<typeof answersOtherwise, "cancelRun">;

/** Pages of requests continue as those of runs do. */
export async function secondPage(): Promise<string | null> {
  const client = createClient({ url: "http://localhost:7331" });
  const { nextCursor, damaged } = await client.listApprovals({ status: "requested", limit: 1 });
  if (damaged !== undefined) throw new Error(damaged[0]?.damage.message);
  await client.health();
  const page = nextCursor === null ? null : await client.listApprovals({ cursor: nextCursor });
  return page?.approvals[0]?.workflowKey ?? null;
}
