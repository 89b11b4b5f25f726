import type { WorkflowContext } from "./context.js";

/** The same run seen by a workflow that is rendered into it: only the input is its own. */
export function withInput(ctx: WorkflowContext, input: Readonly<Record<string, unknown>>): WorkflowContext {
  return new Proxy(ctx, {
    get: (target, name) => (name === "input" ? input : Reflect.get(target, name)),
  });
}
