import type { ElementKey, WorkflowElement, WorkflowNode } from "../../util/element.js";
import { hostComponent } from "../host-component.js";

export interface ParallelProps {
  key?: ElementKey;
  id?: string;
  /** Tasks inside that may run at once; caps of enclosing groups and of the run apply as well. @default unbounded */
  maxConcurrency?: number;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  children?: WorkflowNode;
}

/** Children at the same time. */
export const Parallel = hostComponent<(props: ParallelProps) => WorkflowElement>("Parallel");
