import type { ReactElement, ReactNode } from "react";
import { hostComponent } from "../host-component.js";

export interface WorkflowProps {
  name: string;
  /** Caches the results of every agent and compute task. @default false */
  cache?: boolean;
  children?: ReactNode;
}

/** The root of a workflow. Its children run one after the other. */
export const Workflow = hostComponent<(props: WorkflowProps) => ReactElement>("Workflow");
