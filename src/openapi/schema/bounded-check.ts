import type { z } from "zod";
import { withinTimeLimit } from "../time-limit.js";

/**
 * The same schema, whose every check of a value ends in time, for every caller: the tool itself, or
 * the SDK that hands it the model's input.
 */
export function boundedCheck<T extends z.ZodType>(schema: T): T {
  const { run } = schema._zod;
  schema._zod.run = (payload, context) =>
    withinTimeLimit(
      () => run(payload, context),
      () => {
        const message = "takes too long to check against the patterns of the document";
        payload.issues.push({ code: "custom", message, input: payload.value, inst: schema });
        return payload;
      },
    );
  return schema;
}
