import type { ElementKey, WorkflowElement, WorkflowNode } from "../../util/element.js";
import { hostComponent } from "../host-component.js";

/** Props of `Sequence`. */
export interface SequenceProps {
  key?: ElementKey | undefined;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  /** Each begins when the one before it is done. */
  children?: WorkflowNode;
}

/**
 * Children one after the other.
 * @example
 * <Sequence>
 *   <Task id="build" output={outputs.build}>{build}</Task>
 *   <Task id="deploy" output={outputs.deploy}>{deploy}</Task>
 * </Sequence>
 * @see `docs/components/sequence.md`
 */
export const Sequence = hostComponent<(props: SequenceProps) => WorkflowElement>("Sequence");
