import type { ZodSafeParseResult, ZodType } from "zod";
import type { Awaitable } from "../util/awaitable.js";

/**
 * `safeParse`, at once wherever that is possible: what a schema awaits, such as an asynchronous refinement, it is
 * found to await only while it parses.
 */
export function parseWith<Output>(
  schema: ZodType<Output>,
  value: unknown,
): Awaitable<ZodSafeParseResult<Output>> {
  try {
    return schema.safeParse(value);
  } catch (error) {
    // By name: there may be more than one copy of zod.
    if ((error as object | null)?.constructor?.name !== "$ZodAsyncError") throw error;
    return schema.safeParseAsync(value);
  }
}
