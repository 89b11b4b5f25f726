import type { Key, ReactElement, ReactNode } from "react";
import { hostComponent } from "../host-component.js";

export interface SagaStepProps {
  key?: Key;
  id: string;
  /** Undoes the action. Part of the plan from the start, run only when a later step fails. */
  compensation: ReactNode;
  label?: string;
  /** The action. */
  children: ReactNode;
}

const StepElement =
  hostComponent<(props: { id: string; label?: string | undefined; children: ReactNode }) => ReactElement>(
    "SagaStep",
  );
const ActionElement = hostComponent<(props: { children: ReactNode }) => ReactElement>("SagaAction");
const CompensationElement =
  hostComponent<(props: { children: ReactNode }) => ReactElement>("SagaCompensation");

/** One action of a `Saga`, and what undoes it. */
export function SagaStep({ id, label, compensation, children }: SagaStepProps): ReactElement {
  return (
    <StepElement id={id} label={label}>
      <ActionElement>{children}</ActionElement>
      <CompensationElement>{compensation}</CompensationElement>
    </StepElement>
  );
}
