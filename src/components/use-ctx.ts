import type { WorkflowContext } from "../model/context.js";
import type { SchemaMap } from "../model/schema.js";
import { useRenderPlace } from "./render-place.js";

/**
 * The context of the workflow around the calling component. Inside a `Loop`,
 * `ctx.iteration` and reads without an iteration follow that loop.
 *
 * @throws CONTEXT_OUTSIDE_WORKFLOW when no workflow is being rendered
 */
export function useCtx<S extends SchemaMap = SchemaMap>(): WorkflowContext<S> {
  const { runtime, loops } = useRenderPlace("useCtx()");
  return runtime.ctxFor(loops) as WorkflowContext<S>;
}
