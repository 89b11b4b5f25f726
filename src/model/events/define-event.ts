import { z } from "zod";

/** One variant of the event union: the common fields and its own. */
export function defineEvent<const T extends string, S extends z.ZodRawShape>(type: T, shape: S) {
  return z.object({ type: z.literal(type), runId: z.string(), timestampMs: z.number(), ...shape });
}

/** `{nodeId, iteration}` */
export const nodeAddress = { nodeId: z.string(), iteration: z.number().int() };

/** `{nodeId, iteration, attempt}` */
export const attemptAddress = { ...nodeAddress, attempt: z.number().int() };

/** A SerializedError. */
export const errorPayload = z.looseObject({
  name: z.string(),
  code: z.string().optional(),
  message: z.string(),
});
