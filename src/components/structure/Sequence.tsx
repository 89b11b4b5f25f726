import type { ElementKey, WorkflowElement, WorkflowNode } from "../../util/element.js";
import { hostComponent } from "../host-component.js";

export interface SequenceProps {
  key?: ElementKey;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  children?: WorkflowNode;
}

/** Children one after the other. */
export const Sequence = hostComponent<(props: SequenceProps) => WorkflowElement>("Sequence");
