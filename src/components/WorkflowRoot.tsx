import type { ReactElement, ReactNode } from "react";
import type { WorkflowContext } from "../model/context.js";
import type { RenderRuntime } from "../model/render-runtime.js";
import { RuntimeScopeContext } from "./runtime-scope.js";

export interface WorkflowRootProps {
  build(ctx: WorkflowContext): ReactNode;
  runtime: RenderRuntime;
}

/** What a frame renders: the build function as a component, so that it may use hooks. */
export function WorkflowRoot({ build, runtime }: WorkflowRootProps): ReactElement {
  return (
    <RuntimeScopeContext value={{ runtime, loops: [] }}>
      <Build build={build} runtime={runtime} />
    </RuntimeScopeContext>
  );
}

function Build({ build, runtime }: WorkflowRootProps): ReactNode {
  return build(runtime.ctxFor([]));
}
