import type { ElementKey, WorkflowElement, WorkflowNode } from "../../util/element.js";
import { hostComponent } from "../host-component.js";

export interface AspectsProps {
  key?: ElementKey;
  /** @default made of the element's position in the tree */
  id?: string;
  /** Tokens of the tasks inside. At least one of `max` and `perTask`; `onExceeded` is "fail" by default. */
  tokenBudget?: { max?: number; perTask?: number; onExceeded?: "fail" | "warn" | "skip-remaining" };
  /** Working time of the tasks inside. At least one of `maxMs` and `perTask`; `onExceeded` is "fail" by default. */
  latencySlo?: { maxMs?: number; perTask?: number; onExceeded?: "fail" | "warn" };
  /** What is recorded. @default both */
  tracking?: { tokens?: boolean; latency?: boolean };
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  children?: WorkflowNode;
}

/** Limits what the tasks inside may spend. */
export const Aspects = hostComponent<(props: AspectsProps) => WorkflowElement>("Aspects");
