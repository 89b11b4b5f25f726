import type { WorkflowElement, WorkflowNode } from "../util/element.js";
import type { WorkflowContext } from "../model/context.js";
import { RUN_SCOPE } from "../model/id-scope.js";
import type { OutputRegistry, RenderRuntime } from "../model/render-runtime.js";
import { RenderPlaceContext } from "./render-place.js";

export interface WorkflowRootProps {
  build(ctx: WorkflowContext): WorkflowNode;
  runtime: RenderRuntime;
  registry: OutputRegistry;
}

/** The root of a frame: the build function as a component, so that it may use hooks. */
export function WorkflowRoot({ build, runtime, registry }: WorkflowRootProps): WorkflowElement {
  const schemaOf = (target: unknown) => registry.resolveOutput(target)?.zodSchema;
  return (
    <RenderPlaceContext value={{ runtime, schemaOf, loops: [], scope: RUN_SCOPE }}>
      <BuildFunction build={build} runtime={runtime} />
    </RenderPlaceContext>
  );
}

function BuildFunction({ build, runtime }: Omit<WorkflowRootProps, "registry">): WorkflowNode {
  return build(runtime.ctxFor([]));
}
