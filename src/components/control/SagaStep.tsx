import type { ElementKey, WorkflowElement, WorkflowNode } from "../../util/element.js";
import type { SerializedError } from "../../errors/ensure-error.js";
import { hostComponent } from "../host-component.js";
import { type PropNames, refuseUnknownProps } from "../refuse-unknown.js";
import { Contained } from "./Contained.js";
import { standingFor } from "../standing-for.js";
import { wrongProps } from "../wrong-props.js";

/** Props of `SagaStep`. */
export interface SagaStepProps {
  key?: ElementKey | undefined;
  /** Unique in the saga. */
  id: string;
  /** Undoes the action. Part of the plan from the start, run only when a later step fails. */
  compensation: WorkflowNode;
  /** Shown beside the id. */
  label?: string;
  /** The action. */
  children: WorkflowNode;
}

const STEP_PROPS: PropNames<SagaStepProps> = {
  key: true,
  id: true,
  compensation: true,
  label: true,
  children: true,
};

const StepElement =
  hostComponent<
    (props: { id: string; label?: string | undefined; children: WorkflowNode }) => WorkflowElement
  >("SagaStep");
const ActionElement = hostComponent<(props: { children: WorkflowNode }) => WorkflowElement>("SagaAction");
const CompensationElement =
  hostComponent<
    (props: {
      /** The error of its rendering. */
      thrown?: SerializedError;
      children?: WorkflowNode;
    }) => WorkflowElement
  >("SagaCompensation");

/**
 * One action of a `Saga`, and what undoes it.
 *
 * @throws INVALID_INPUT without a `compensation`
 * @example
 * <SagaStep id="flight" compensation={<Task id="refund" output={outputs.refund}>{refund}</Task>}>
 *   <Task id="book" output={outputs.booking}>{book}</Task>
 * </SagaStep>
 * @see `docs/components/saga.md`
 */
export function SagaStep(props: SagaStepProps): WorkflowElement {
  const { id, label, compensation, children } = props;
  if (!("compensation" in props)) {
    throw wrongProps(
      "SagaStep",
      props,
      "has no compensation; expected what undoes it, or null where nothing has to be undone.",
    );
  }
  refuseUnknownProps("SagaStep", props, STEP_PROPS);
  return standingFor(
    props,
    <StepElement id={id} label={label}>
      <ActionElement>{children}</ActionElement>
      <Contained
        part={<CompensationElement>{compensation}</CompensationElement>}
        instead={(thrown) => <CompensationElement thrown={thrown} />}
      />
    </StepElement>,
  );
}
