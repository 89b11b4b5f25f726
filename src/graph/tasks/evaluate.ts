import { ServiceError } from "../../errors/service-error.js";
import type { WorkflowContext } from "../../model/context.js";
import { embeddedView } from "../../model/context-view.js";
import type { Site } from "../element-rule.js";
import { embeddedKey } from "../ancestor-context.js";

/** The context as a function in the props of this element sees it. */
export function contextOf({ around, extraction }: Site): WorkflowContext {
  const ctx = extraction.runtime.ctxFor(around.loops);
  const { input, scope } = around;
  if (input === null) return ctx;
  const { runtime } = extraction;
  return embeddedView(ctx, { input, keyOf: (target) => embeddedKey(around, target), scope, runtime });
}

/**
 * The answer of a function of the context in this frame. It is asked long before
 * its task is reached, so a row that does not exist yet is no error: undefined.
 * The caller refuses a promise: it is never awaited, and its failure must not end the process.
 */
export function evaluate<T>(site: Site, fn: (ctx: WorkflowContext) => T): T | undefined {
  try {
    const answer = fn(contextOf(site));
    if (answer instanceof Promise) answer.catch(() => {});
    return answer;
  } catch (error) {
    if (ServiceError.is(error, "MISSING_OUTPUT")) return undefined;
    throw error;
  }
}
