import { ensureError } from "../../errors/ensure-error.js";
import type { CachePolicy } from "../../model/task.js";
import { findJsonLoss } from "../../util/json-loss.js";
import type { Site } from "../element-rule.js";
import { frameError } from "../frame-error.js";
import { checkJsonProp } from "../props.js";
import { evaluate } from "./evaluate.js";

/**
 * The answer of a cache policy's `by` in this frame.
 *
 * @throws INVALID_INPUT for an answer that the key would lose: two
 * questions would share one row
 */
export function evaluateCacheBy(site: Site, { by }: CachePolicy): unknown {
  if (by === undefined) return undefined;
  const answer = answerOf(site, by);
  const loss = findJsonLoss(answer);
  if (loss === undefined) return answer;
  if (answer instanceof Promise) {
    throw refused(
      site,
      "answered a Promise; by must be synchronous: compute the value in a task before this one",
    );
  }
  const where = loss.path === "" ? "" : ` in "${loss.path}"`;
  throw refused(site, `answered ${loss.what}${where}; expected plain JSON values or dates`);
}

/** Extra members of the policy are key material too. */
export function checkCacheExtras(site: Site, extras: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(extras)) {
    checkJsonProp(site.element, `cache.${name}`, value);
  }
}

function answerOf(site: Site, by: NonNullable<CachePolicy["by"]>): unknown {
  try {
    return evaluate(site, (ctx) => by(ctx));
  } catch (thrown) {
    const cause = ensureError(thrown);
    const problem = `has cache.by, which threw: ${cause.message}`;
    const error = frameError("WORKFLOW_RENDER_FAILED", site.element, problem);
    error.cause = cause;
    throw error;
  }
}

function refused({ element }: Site, problem: string) {
  return frameError("INVALID_INPUT", element, `has cache.by, which ${problem}.`);
}
