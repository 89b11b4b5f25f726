import type { WorkflowElement } from "../../util/element.js";
import type { ObjectSchema } from "../../model/row-schema.js";
import type { ApprovalOption, ApprovalRequest, OnDeny } from "../../model/approval.js";
import type { WorkflowContext } from "../../model/context.js";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
import type { RetryPolicy } from "../../model/task.js";
import { hostComponent } from "../host-component.js";
import type { AskMode, HoldsDecision } from "./decision-target.js";
import type { LimitProps, OrderProps } from "./task-props.js";

/** Props of `Approval`. */
export interface ApprovalProps<
  S extends SchemaMap = SchemaMap,
  T = OutputTarget<S>,
  M extends AskMode = AskMode,
> extends OrderProps,
    LimitProps {
  /** Address of the node; unique in the workflow. */
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
  /** Validates instead of the output's own schema. @default the output's schema */
  outputSchema?: ObjectSchema;
  /** The request to the person. */
  request: ApprovalRequest;
  /**
   * `fail` fails the node; `continue` writes the decision and continues; `skip`
   * skips the node and everything that comes after it. @default "fail"
   */
  onDeny?: OnDeny;
  /** Only people with one of these scopes may decide. @default everybody */
  allowedScopes?: readonly string[];
  /** Only these people may decide. @default everybody */
  allowedUsers?: readonly string[];
  /** When it decides by itself, as `service:auto`. @default never */
  autoApprove?: AutoApprove<S>;
  /** Later siblings do not wait for the decision. @default false */
  async?: boolean;
  /** Times that it is asked again when no decision has come within `timeoutMs`. @default 0 */
  retries?: number;
  /** How long it waits before it is asked again; nothing can be decided in between. @default at once */
  retryPolicy?: RetryPolicy;
  /** Shown beside the id. @default the request's title */
  label?: string;
}

/**
 * When an approval decides by itself: `condition` holds, `revertOn` does not, and people have approved
 * often enough.
 */
export interface AutoApprove<S extends SchemaMap = SchemaMap> {
  /** Approvals by people in a row, in earlier runs, after which it may; 0 = at once. @default 0 */
  after?: number;
  /** Must hold. Evaluated in each frame; a row it reads that does not exist yet counts as no. */
  condition?(ctx: WorkflowContext<S>): boolean;
  /** Writes an event for each automatic approval. */
  audit?: boolean;
  /** Blocks the automatic approval while it holds. */
  revertOn?(ctx: WorkflowContext<S>): boolean;
}

/** `Approval`, typed by the module's schemas. */
export type ApprovalComponent<S extends SchemaMap = SchemaMap> = <
  const T extends OutputTarget<S>,
  M extends AskMode = "approve",
>(
  props: ApprovalProps<S, T & HoldsDecision<S, T, M>, M>,
) => WorkflowElement;

/**
 * Waits for a person's decision. The row is the decision.
 * @example
 * <Approval id="publish" output={outputs.decision} request={{ title: "Publish it?" }} timeoutMs={86_400_000} />
 * @see `docs/components/approval.md`
 */
export const Approval = hostComponent<ApprovalComponent>("Approval");
