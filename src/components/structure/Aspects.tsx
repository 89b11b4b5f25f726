import type { ElementKey, WorkflowElement, WorkflowNode } from "../../util/element.js";
import { hostComponent } from "../host-component.js";

/** Props of `Aspects`. */
export interface AspectsProps {
  key?: ElementKey | undefined;
  /** Names the element. @default made of the place in the tree */
  id?: string;
  /** Tokens of the tasks inside. At least one of `max` and `perTask`; `onExceeded` is "fail" by default. */
  tokenBudget?: { max?: number; perTask?: number; onExceeded?: "fail" | "warn" | "skip-remaining" };
  /**
   * Milliseconds of working time of the tasks inside. At least one of `maxMs` and `perTask`; `onExceeded`
   * is "fail" by default.
   */
  latencySlo?: { maxMs?: number; perTask?: number; onExceeded?: "fail" | "warn" };
  /** The values that are recorded. @default both */
  tracking?: { tokens?: boolean; latency?: boolean };
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  /** The content that the budgets are for. */
  children?: WorkflowNode;
}

/**
 * Limits what the tasks inside may spend.
 * @example
 * <Aspects tokenBudget={{ max: 200_000, onExceeded: "skip-remaining" }}>
 *   <Task id="review" output={outputs.review} agent={reviewer}>Review the change.</Task>
 * </Aspects>
 * @see `docs/components/aspects.md`
 */
export const Aspects = hostComponent<(props: AspectsProps) => WorkflowElement>("Aspects");
