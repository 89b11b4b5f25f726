import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { hostComponent } from "../host-component.js";

export interface WorkflowProps {
  name: string;
  /** Caches the results of every agent and compute task. @default false */
  cache?: boolean;
  children?: WorkflowNode;
}

/** The root of a workflow. Its children run one after the other. */
export const Workflow = hostComponent<(props: WorkflowProps) => WorkflowElement>("Workflow");
