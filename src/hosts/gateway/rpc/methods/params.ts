import { z } from "zod";

/** Params that more than one method takes. Unknown members are refused. */
export const runId = z.string().min(1);
export const nodeId = z.string().min(1);
export const iteration = z.number().int().min(0);
export const frameNo = z.number().int().min(0);
export const limit = z.number().int().min(1).max(500);
export const workflowKey = z.string().min(1);
