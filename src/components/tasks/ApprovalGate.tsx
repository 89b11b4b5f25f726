import type { WorkflowElement } from "../../util/element.js";
import type { ApprovalRequest, OnDeny } from "../../model/approval.js";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
import type { RetryPolicy } from "../../model/task.js";
import { Approval } from "./Approval.js";
import type { HoldsDecision } from "./decision-target.js";
import { Task } from "./Task.js";
import type { LimitProps } from "./task-props.js";
import { standingFor } from "../standing-for.js";

/** Props of `ApprovalGate`. */
export interface ApprovalGateProps<S extends SchemaMap = SchemaMap, T = OutputTarget<S>>
  extends Omit<LimitProps, "cache" | "retries" | "retryPolicy"> {
  /** Address of the node; unique in the workflow. */
  id: string;
  /** Takes the decision: `{approved, note, decidedBy, decidedAt}`. */
  output: T;
  /** The request to the person. */
  request: ApprovalRequest;
  /** false = approved without asking; anything else asks. */
  when: boolean;
  /** As for an `Approval`. @default "fail" */
  onDeny?: OnDeny;
  /** As for an `Approval`. @default 0 */
  retries?: number;
  /** As for an `Approval`. @default at once */
  retryPolicy?: RetryPolicy;
  /** Marks the node as skipped; what depends on it continues. @default false */
  skipIf?: boolean;
}

/** `ApprovalGate`, typed by the module's schemas. */
export type ApprovalGateComponent<S extends SchemaMap = SchemaMap> = <const T extends OutputTarget<S>>(
  props: ApprovalGateProps<S, T & HoldsDecision<S, T, "approve">>,
) => WorkflowElement;

const AUTO_APPROVED = { approved: true, note: "auto-approved", decidedBy: null, decidedAt: null };

/**
 * An `Approval` that is only asked for `when` it is needed.
 * @example
 * <ApprovalGate id="large" when={total > 1_000} output={outputs.decision} request={{ title: `Pay ${total}?` }} />
 * @see `docs/components/approval-gate.md`
 */
export function ApprovalGate(given: ApprovalGateProps): WorkflowElement {
  const { when, ...props } = given;
  // A value that is not there yet must not open the gate.
  if (when !== false) return standingFor(given, <Approval {...props} />);
  const { request: _request, onDeny: _onDeny, ...task } = props;
  return standingFor(given, <Task {...task}>{AUTO_APPROVED}</Task>);
}
