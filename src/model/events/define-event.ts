import { z } from "zod";
import { once } from "../../util/once.js";

/** One variant of the event union: the common fields and its own. */
export function defineEvent<const T extends string, S extends z.ZodRawShape>(type: T, shape: S) {
  return z.object({
    type: z.literal(type),
    runId: z.string(),
    /** Of the commit that wrote it, epoch milliseconds. */
    timestampMs: z.number(),
    ...shape,
  });
}

/** `{nodeId, iteration}` */
export const nodeAddress = once(() => ({ nodeId: z.string(), iteration: z.number().int() }));

/** `{nodeId, iteration, attempt}` */
export const attemptAddress = once(() => ({ ...nodeAddress(), attempt: z.number().int() }));

/** A SerializedError. */
export const errorPayload = once(() =>
  z.looseObject({
    name: z.string(),
    code: z.string().optional(),
    message: z.string(),
  }),
);
