import type { ElementKey, WorkflowElement, WorkflowNode } from "../../util/element.js";
import { hostComponent } from "../host-component.js";

/** Props of `Parallel`. */
export interface ParallelProps {
  key?: ElementKey | undefined;
  /** Names the element. @default made of the place in the tree */
  id?: string;
  /** Tasks inside that may run at once; caps of enclosing groups and of the run apply as well. @default unbounded */
  maxConcurrency?: number;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  /** The content that may run at the same time. */
  children?: WorkflowNode;
}

/**
 * Children at the same time.
 * @example
 * <Parallel maxConcurrency={2}>
 *   <Task id="lint" output={outputs.lint}>{lint}</Task>
 *   <Task id="test" output={outputs.test}>{test}</Task>
 * </Parallel>
 * @see `docs/components/parallel.md`
 */
export const Parallel = hostComponent<(props: ParallelProps) => WorkflowElement>("Parallel");
