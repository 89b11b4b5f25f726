import { createContext, useContext } from "react";
import { ServiceError } from "../errors/service-error.js";
import type { LoopScope, RenderRuntime } from "../model/render-runtime.js";

/** Where in the workflow a component is rendered. */
export interface RuntimeScope {
  readonly runtime: RenderRuntime;
  /** Loops around the component, outermost first. */
  readonly loops: readonly LoopScope[];
}

/** A new value in each render, so that every component that reads the run is rendered again. */
export const RuntimeScopeContext = createContext<RuntimeScope | null>(null);

/** @throws ServiceError CONTEXT_OUTSIDE_WORKFLOW */
export function useRuntimeScope(reader: string): RuntimeScope {
  const scope = useContext(RuntimeScopeContext);
  if (scope !== null) return scope;
  throw new ServiceError("CONTEXT_OUTSIDE_WORKFLOW", `${reader} was rendered outside of a running workflow.`);
}
