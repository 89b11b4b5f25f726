import type { EnclosingLoop } from "../model/address.js";
import type { IdScope } from "../model/id-scope.js";
import { createContext, useContext } from "react";
import type { ZodObject } from "zod";
import type { WorkflowElement, WorkflowNode } from "../util/element.js";
import { ServiceError } from "../errors/service-error.js";
import type { RenderRuntime } from "../model/render-runtime.js";

/** Where in the workflow a component is rendered. */
export interface RenderPlace {
  readonly runtime: RenderRuntime;
  /** The schema of an output's rows; undefined for a value that is no output of the workflow. */
  schemaOf(target: unknown): ZodObject | undefined;
  /** Loops around the component, outermost first. */
  readonly loops: readonly EnclosingLoop[];
  readonly scope: IdScope;
}

/** A new value in each render, so that every component that reads the run is rendered again. */
const Place = createContext<RenderPlace | null>(null);

/** Says where what is inside it stands. React's own type asks for React's type of nodes. */
export const RenderPlaceContext = Place as unknown as (props: {
  value: RenderPlace;
  children: WorkflowNode;
}) => WorkflowElement;

/** @throws CONTEXT_OUTSIDE_WORKFLOW */
export function useRenderPlace(reader: string): RenderPlace {
  const place = readContext(reader);
  if (place !== null) return place;
  throw new ServiceError("CONTEXT_OUTSIDE_WORKFLOW", `${reader} was rendered outside of a running workflow.`);
}

function readContext(reader: string): RenderPlace | null {
  try {
    return useContext(Place);
  } catch {
    // Reading a context fails in one case only: React is not rendering.
    throw new ServiceError(
      "CONTEXT_OUTSIDE_WORKFLOW",
      `${reader} was called while nothing is rendered, such as in a task's function, which is given its deps and its runtime.`,
    );
  }
}
