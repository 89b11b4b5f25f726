import type { Context } from "hono";
import { z } from "zod";
import { isQueueName, QUEUE_NAME_RULE } from "../../model/queue-name.js";
import { isReservedName, RESERVED_NAMES } from "../../model/user-names.js";
import { checkJson } from "./read-json.js";
import { once } from "../../util/once.js";

/** Bodies and queries that more than one host takes. Unknown members are refused. */
export const decisionBody = once(() =>
  z.strictObject({
    iteration: z.number().int().min(0).optional(),
    note: z.string().optional(),
    decidedBy: z
      .string()
      .refine((name) => !isReservedName(name), {
        message: `expected no name that the host gives (${RESERVED_NAMES})`,
      })
      .optional(),
    selected: z.string().optional(),
    ranked: z.array(z.string()).optional(),
    /** The row of a human task. */
    data: z.unknown().optional(),
    /** Hash of the question as it was shown. */
    requestHash: z.string().min(1).optional(),
  }),
);

export const signalBody = once(() =>
  z.strictObject({
    data: z.unknown().optional(),
    correlationId: z.string().optional(),
  }),
);

export const cancelBody = once(() => z.strictObject({ reason: z.string().optional() }));

export const MOST_LISTED = 500;

const wholeNumber = once(() =>
  z
    .string()
    .regex(/^\d{1,15}$/, "expected a whole number")
    .transform(Number),
);

export const pageQuery = once(() =>
  z.strictObject({
    limit: wholeNumber().pipe(z.number().min(1).max(MOST_LISTED)).default(50),
    cursor: z.string().optional(),
  }),
);

export const framesQuery = once(() =>
  z.strictObject({
    afterFrameNo: wholeNumber().optional(),
    beforeFrameNo: wholeNumber().optional(),
    limit: wholeNumber().pipe(z.number().min(1).max(MOST_LISTED)).default(50),
  }),
);

/** The queue of a run. */
export const queueOption = once(() =>
  z
    .string()
    .refine(isQueueName, { message: `expected ${QUEUE_NAME_RULE}` })
    .optional(),
);

/** Where a stream begins. */
export const eventsQuery = once(() => z.strictObject({ afterSeq: z.string().optional() }));

export const outputQuery = once(() => eventsQuery().extend({ nodeId: z.string().min(1).optional() }));

export const nodeQuery = once(() => z.strictObject({ iteration: wholeNumber().optional() }));

/** The query of a request. @throws INVALID_INPUT for a parameter that is unknown, given twice, or not as described */
export function readQuery<T>(c: Context, schema: z.ZodType<T>): T {
  const given = Object.entries(c.req.queries()).map(([name, values]) => [
    name,
    // A list is what no parameter may be: which of two values counts would be a guess.
    values.length === 1 ? values[0] : values,
  ]);
  return checkJson(Object.fromEntries(given), schema, "query");
}
