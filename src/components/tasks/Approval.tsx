import type { WorkflowElement } from "../../util/element.js";
import type { ObjectSchema } from "../../model/row-schema.js";
import type { ApprovalOption, ApprovalRequest, OnDeny } from "../../model/approval.js";
import type { WorkflowContext } from "../../model/context.js";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
import { hostComponent } from "../host-component.js";
import type { AskMode, HoldsDecision } from "./decision-target.js";
import type { LimitProps, OrderProps } from "./task-props.js";

export interface ApprovalProps<
  S extends SchemaMap = SchemaMap,
  T = OutputTarget<S>,
  M extends AskMode = AskMode,
> extends OrderProps,
    LimitProps {
  id: string;
  /** Yes or no, one of `options`, or `options` in order. @default "approve" */
  mode?: M;
  /** Required for `select` and `rank`. */
  options?: readonly ApprovalOption[];
  /**
   * Takes the decision: `{approved, note, decidedBy, decidedAt}`, `{selected, notes}`
   * or `{ranked, notes}` by mode. An output that cannot hold it is a compile error.
   */
  output: T;
  /** Validates instead of the output's own schema. */
  outputSchema?: ObjectSchema;
  /** What the person is asked. */
  request: ApprovalRequest;
  /**
   * `fail` fails the node; `continue` writes the decision and goes on; `skip`
   * skips the node and everything that comes after it. @default "fail"
   */
  onDeny?: OnDeny;
  /** Only people with one of these scopes may decide. */
  allowedScopes?: readonly string[];
  /** Only these people may decide. */
  allowedUsers?: readonly string[];
  autoApprove?: AutoApprove<S>;
  /** Later siblings do not wait for the decision. @default false */
  async?: boolean;
  /** Times that it is asked again at once when nobody has decided within `timeoutMs`. @default 0 */
  retries?: number;
  /** Shown beside the id. @default the request's title */
  label?: string;
}

export interface AutoApprove<S extends SchemaMap = SchemaMap> {
  /** Approves by itself after this many approvals in a row by people; 0 = at once. */
  after?: number;
  /** Must hold. Evaluated in each frame; a row it reads that does not exist yet counts as no. */
  condition?(ctx: WorkflowContext<S>): boolean;
  /** Writes an event for each automatic approval. */
  audit?: boolean;
  /** Blocks the automatic approval while it holds. */
  revertOn?(ctx: WorkflowContext<S>): boolean;
}

export type ApprovalComponent<S extends SchemaMap = SchemaMap> = <
  const T extends OutputTarget<S>,
  M extends AskMode = "approve",
>(
  props: ApprovalProps<S, T & HoldsDecision<S, T, M>, M>,
) => WorkflowElement;

/** Waits for a person's decision. */
export const Approval = hostComponent<ApprovalComponent>("Approval");
