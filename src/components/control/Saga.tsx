import type { ElementKey, WorkflowElement, WorkflowNode } from "../../util/element.js";
import { hostComponent } from "../host-component.js";
import { SagaStep } from "./SagaStep.js";
import { standingFor } from "../standing-for.js";
import { wrongProps } from "../wrong-props.js";

/** Props of `Saga`. */
export interface SagaProps {
  key?: ElementKey | undefined;
  /** Names the saga's stored state. @default made of the place in the tree */
  id?: string;
  /** The steps as data, instead of `SagaStep` children. */
  steps?: readonly SagaStepSpec[];
  /**
   * `compensate` undoes the finished actions in reverse and continues;
   * `compensate-and-fail` undoes them and fails; `fail` undoes nothing. @default "compensate"
   */
  onFailure?: "compensate" | "compensate-and-fail" | "fail";
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  /** `SagaStep` elements only. */
  children?: WorkflowNode;
}

/** A `SagaStep` as data. */
export interface SagaStepSpec {
  /** Unique in the saga. */
  id: string;
  /** The step's work. */
  action: WorkflowNode;
  /** The content that undoes it. */
  compensation: WorkflowNode;
  /** Shown beside the id. */
  label?: string;
}

const SagaElement = hostComponent<(props: Omit<SagaProps, "key" | "steps">) => WorkflowElement>("Saga");

/**
 * Actions one after the other; when one fails, the finished ones are undone.
 *
 * @throws INVALID_INPUT when it has both `steps` and children
 * @example
 * <Saga id="trip" onFailure="compensate-and-fail">
 *   <SagaStep id="flight" compensation={<Task id="refund" output={outputs.refund}>{refund}</Task>}>
 *     <Task id="book" output={outputs.booking}>{book}</Task>
 *   </SagaStep>
 * </Saga>
 * @see `docs/components/saga.md`
 */
export function Saga(given: SagaProps): WorkflowElement {
  const { steps, children, ...props } = given;
  if (steps !== undefined && children !== undefined) {
    throw wrongProps("Saga", given, "has both the prop steps and children; expected one of them.");
  }
  return standingFor(
    given,
    <SagaElement {...props}>
      {steps?.map(({ action, ...step }) => (
        <SagaStep key={step.id} {...step}>
          {action}
        </SagaStep>
      )) ?? children}
    </SagaElement>,
  );
}
