import type { LoopScope } from "../model/address.js";
import { createContext, useContext } from "react";
import type { ZodObject } from "zod";
import type { WorkflowElement, WorkflowNode } from "../util/element.js";
import { ServiceError } from "../errors/service-error.js";
import type { RenderRuntime } from "../model/render-runtime.js";

/** Where in the workflow a component is rendered. */
export interface RuntimeScope {
  readonly runtime: RenderRuntime;
  /** What rows of an output have to fit; undefined for what is no output of the workflow. */
  schemaOf(target: unknown): ZodObject | undefined;
  /** Loops around the component, outermost first. */
  readonly loops: readonly LoopScope[];
}

/** A new value in each render, so that every component that reads the run is rendered again. */
const Scope = createContext<RuntimeScope | null>(null);

/** Makes what is inside it part of a scope. React's own type asks for React's type of nodes. */
export const RuntimeScopeContext = Scope as unknown as (props: {
  value: RuntimeScope;
  children: WorkflowNode;
}) => WorkflowElement;

/** @throws CONTEXT_OUTSIDE_WORKFLOW */
export function useRuntimeScope(reader: string): RuntimeScope {
  const scope = readContext(reader);
  if (scope !== null) return scope;
  throw new ServiceError("CONTEXT_OUTSIDE_WORKFLOW", `${reader} was rendered outside of a running workflow.`);
}

function readContext(reader: string): RuntimeScope | null {
  try {
    return useContext(Scope);
  } catch {
    // Reading a context fails in one case only: React is not rendering.
    throw new ServiceError(
      "CONTEXT_OUTSIDE_WORKFLOW",
      `${reader} was called while nothing is rendered, such as in a task's function, which is given its deps and its runtime.`,
    );
  }
}
