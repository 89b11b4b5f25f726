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

const FIELDS = new Set(["after", "audit", "condition", "revertOn"]);

/** The prop `autoApprove`; its functions are evaluated for this frame. */
export function readAutoApprove(site: Site): ApprovalAutoApprove | undefined {
  const { element } = site;
  const prop: AutoApproveProp | undefined = readObject(element, "autoApprove");
  if (prop === undefined) return undefined;
  const { after, audit, condition, revertOn } = prop;
  const valid =
    Object.keys(prop).every((field) => FIELDS.has(field)) &&
    (after === undefined || (Number.isInteger(after) && (after as number) >= 0)) &&
    (audit === undefined || typeof audit === "boolean") &&
    (condition === undefined || typeof condition === "function") &&
    (revertOn === undefined || typeof revertOn === "function");
  if (!valid) {
    throw invalid(
      element,
      "autoApprove",
      "after an integer of at least 0, audit a flag, condition and revertOn functions, and nothing else",
    );
  }
  const holds = (fn: unknown) => {
    const value: unknown = evaluate(site, fn as Condition);
    // A promise would count as true whatever it brings.
    if (typeof (value as { then?: unknown } | undefined)?.then === "function") {
      throw invalid(element, "autoApprove", "functions that answer at once: true or false, not a promise");
    }
    return Boolean(value);
  };
  const auto: ApprovalAutoApprove = {};
  if (after !== undefined) auto.after = after as number;
  if (audit !== undefined) auto.audit = audit as boolean;
  if (condition !== undefined) auto.conditionMet = holds(condition);
  if (revertOn !== undefined) auto.revertOnMet = holds(revertOn);
  return auto;
}
