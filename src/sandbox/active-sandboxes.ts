import { AsyncLocalStorage } from "node:async_hooks";
import { ServiceError } from "../errors/service-error.js";
import { SANDBOX_VARIABLE } from "./runtimes/inside-process.js";

/** Sandboxes of one process at once, unless the environment says otherwise. */
const MOST_ACTIVE = 10;
const LIMIT_VARIABLE = "SERVICE_MAX_CONCURRENT_SANDBOXES";

/** Those that are at work, by an object of their own. */
const active = new Set<object>();
const inside = new AsyncLocalStorage<true>();

/**
 * Runs a sandbox's work as one of those that this process has at once.
 * @throws SANDBOX_EXECUTION_FAILED when there are too many, or it stands inside another one without `allowNested`
 */
export async function asActiveSandbox<T>(
  { sandboxId, allowNested }: { sandboxId: string; allowNested: boolean },
  work: () => Promise<T>,
): Promise<T> {
  const isInside = inside.getStore() === true || process.env[SANDBOX_VARIABLE] !== undefined;
  if (isInside && !allowNested) {
    throw new ServiceError(
      "SANDBOX_EXECUTION_FAILED",
      `Sandbox ${sandboxId} stands inside another one, and does not have \`allowNested\`.`,
      { retryable: false },
    );
  }
  const limit = mostActive();
  if (active.size >= limit) {
    throw new ServiceError(
      "SANDBOX_EXECUTION_FAILED",
      `${active.size} sandboxes are active in this process, and at most ${limit} may be (${LIMIT_VARIABLE}). Limit how many tasks run at once, or let it be tried again.`,
      { details: { active: active.size, limit } },
    );
  }
  const own = {};
  active.add(own);
  try {
    return await inside.run(true, work);
  } finally {
    active.delete(own);
  }
}

function mostActive(): number {
  const given = Number(process.env[LIMIT_VARIABLE]);
  return Number.isInteger(given) && given > 0 ? given : MOST_ACTIVE;
}
