import type { ElementKey, WorkflowElement, WorkflowNode } from "../../util/element.js";
import { hostComponent } from "../host-component.js";
import { type PropNames, refuseUnknownProps } from "../refuse-unknown.js";
import { standingFor } from "../standing-for.js";
import { wrongProps } from "../wrong-props.js";

/** Props of `Branch`. */
export interface BranchProps {
  key?: ElementKey | undefined;
  /** Which side. */
  if: boolean;
  /** Mounted when `if` is true. */
  then: WorkflowNode;
  /** Mounted when `if` is false. @default nothing */
  else?: WorkflowNode;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
}

// biome-ignore lint/suspicious/noThenProperty: the prop has that name, and no code awaits this table.
const BRANCH_PROPS: PropNames<BranchProps> = { key: true, if: true, then: true, else: true, skipIf: true };

const BranchElement =
  hostComponent<
    (props: { if: boolean; skipIf?: boolean | undefined; children: WorkflowNode }) => WorkflowElement
  >("Branch");

/**
 * Mounts `then` or `else`; the other side is not part of the plan.
 *
 * @throws INVALID_INPUT when it has children
 * @example
 * <Branch
 *   if={ctx.latest("review", "review")?.approved === true}
 *   then={<Task id="merge" output={outputs.merge}>{merge}</Task>}
 * />
 * @see `docs/components/branch.md`
 */
export function Branch(props: BranchProps): WorkflowElement {
  if ("children" in props) {
    throw wrongProps("Branch", props, "has children; its sides are the props then and else.");
  }
  refuseUnknownProps("Branch", props, BRANCH_PROPS);
  const chosen = props.if ? "then" : "else";
  return standingFor(
    props,
    <BranchElement key={chosen} if={Boolean(props.if)} skipIf={props.skipIf}>
      {props[chosen]}
    </BranchElement>,
  );
}
