import type { ApprovalAutoApprove } from "../../model/approval.js";
import type { WorkflowContext } from "../../model/context.js";
import type { Site } from "../element-rule.js";
import { invalid, readObject } from "../props.js";
import { evaluate } from "./evaluate.js";

interface AutoApproveProp {
  after?: unknown;
  audit?: unknown;
  condition?: unknown;
  revertOn?: unknown;
}

type Condition = (ctx: WorkflowContext) => boolean;

/** The prop `autoApprove`; its functions are evaluated for this frame. */
export function readAutoApprove(site: Site): ApprovalAutoApprove | undefined {
  const { element } = site;
  const prop: AutoApproveProp | undefined = readObject(element, "autoApprove");
  if (prop === undefined) return undefined;
  const { after, audit, condition, revertOn } = prop;
  const valid =
    (after === undefined || (Number.isInteger(after) && (after as number) >= 0)) &&
    (audit === undefined || typeof audit === "boolean") &&
    (condition === undefined || typeof condition === "function") &&
    (revertOn === undefined || typeof revertOn === "function");
  if (!valid) {
    throw invalid(
      element,
      "autoApprove",
      "after an integer of at least 0, audit a flag, condition and revertOn functions",
    );
  }
  const holds = (fn: unknown) => Boolean(evaluate(site, fn as Condition));
  const auto: ApprovalAutoApprove = {};
  if (after !== undefined) auto.after = after as number;
  if (audit !== undefined) auto.audit = audit as boolean;
  if (condition !== undefined) auto.conditionMet = holds(condition);
  if (revertOn !== undefined) auto.revertOnMet = holds(revertOn);
  return auto;
}
