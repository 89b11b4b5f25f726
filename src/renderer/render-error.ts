import { ensureError } from "../errors/ensure-error.js";
import { ServiceError } from "../errors/service-error.js";

/**
 * The error a render fails with. A ServiceError keeps its code and gets the
 * component stack as `details.componentStack`; anything else becomes the cause
 * of a WORKFLOW_RENDER_FAILED.
 */
export function renderError(thrown: unknown, stack: string): ServiceError {
  const componentStack = componentNames(stack);
  const where = componentStack.length === 0 ? "" : ` in ${componentStack[0]}`;
  if (ServiceError.is(thrown)) {
    // The same object: whoever threw it may compare it, and its stack names the line.
    return Object.assign(thrown, { details: { ...thrown.details, componentStack } });
  }
  const cause = ensureError(thrown);
  if (isSuspension(cause)) {
    return new ServiceError(
      "WORKFLOW_RENDER_FAILED",
      `A component suspended${where}: rendering is synchronous, so components cannot be async functions or wait with use(). Await in a task's function instead.`,
      { details: { componentStack } },
    );
  }
  return new ServiceError("WORKFLOW_RENDER_FAILED", `Rendering failed${where}: ${cause.message}`, {
    cause,
    details: { componentStack },
  });
}

/** Names only: the stack's file positions are paths of the host. Innermost first. */
function componentNames(stack: string): string[] {
  return [...stack.matchAll(/^\s*at ([^\s(]+)/gm)].map((match) => match[1] as string);
}

/** React's production build names its errors by number: "suspended while responding to synchronous input". */
function isSuspension(error: Error): boolean {
  return /Minified React error #(426|482)\b/.test(error.message);
}
