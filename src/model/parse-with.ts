import { config, core, ZodError, type ZodSafeParseResult, type ZodType } from "zod";
import type { Awaitable } from "../util/awaitable.js";

const ASYNC = { async: true } as const;

/**
 * `safeParse`, at once wherever that is possible. That a schema awaits, for example in an asynchronous refinement, is
 * known only once it parses: each of its rules is asked once, and every answer of theirs counts.
 */
export function parseWith<Output>(
  schema: ZodType<Output>,
  value: unknown,
): Awaitable<ZodSafeParseResult<Output>> {
  const parsed = schema._zod.run({ value, issues: [] }, ASYNC);
  return parsed instanceof Promise ? parsed.then(conclude<Output>) : conclude(parsed);
}

function conclude<Output>({ value, issues }: core.ParsePayload): ZodSafeParseResult<Output> {
  if (issues.length === 0) return { success: true, data: value as Output };
  const all = issues.map((issue) => core.util.finalizeIssue(issue, ASYNC, config()));
  return { success: false, error: new ZodError(all) as ZodError<Output> };
}
