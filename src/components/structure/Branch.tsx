import type { Key, ReactElement, ReactNode } from "react";
import { ServiceError } from "../../errors/service-error.js";
import { hostComponent } from "../host-component.js";

export interface BranchProps {
  key?: Key;
  if: boolean;
  then: ReactNode;
  else?: ReactNode;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
}

const BranchElement =
  hostComponent<(props: { if: boolean; skipIf?: boolean | undefined; children: ReactNode }) => ReactElement>(
    "Branch",
  );

/**
 * Mounts `then` or `else`; the other side is not part of the plan.
 *
 * @throws ServiceError INVALID_INPUT when it has children
 */
export function Branch(props: BranchProps): ReactElement {
  if ("children" in props) {
    throw new ServiceError("INVALID_INPUT", "<Branch> has children; its sides are the props then and else.");
  }
  const chosen = props.if ? "then" : "else";
  return (
    <BranchElement key={chosen} if={Boolean(props.if)} skipIf={props.skipIf}>
      {props[chosen]}
    </BranchElement>
  );
}
