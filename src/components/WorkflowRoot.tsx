import type { WorkflowElement, WorkflowNode } from "../util/element.js";
import type { WorkflowContext } from "../model/context.js";
import type { RenderRuntime } from "../model/render-runtime.js";
import { RuntimeScopeContext } from "./runtime-scope.js";

export interface WorkflowRootProps {
  build(ctx: WorkflowContext): WorkflowNode;
  runtime: RenderRuntime;
}

/** What a frame renders: the build function as a component, so that it may use hooks. */
export function WorkflowRoot({ build, runtime }: WorkflowRootProps): WorkflowElement {
  return (
    <RuntimeScopeContext value={{ runtime, loops: [] }}>
      <Build build={build} runtime={runtime} />
    </RuntimeScopeContext>
  );
}

function Build({ build, runtime }: WorkflowRootProps): WorkflowNode {
  return build(runtime.ctxFor([]));
}
