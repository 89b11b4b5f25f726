import type { HostElement, HostTag } from "../model/host-node.js";
import type { ElementRule } from "./element-rule.js";
import { aspectsRule } from "./elements/aspects.js";
import { continueAsNewRule } from "./elements/continue-as-new.js";
import { inlineSubflowRule } from "./elements/inline-subflow.js";
import { loopRule } from "./elements/loop.js";
import { mergeQueueRule, parallelRule } from "./elements/parallel.js";
import { sagaActionRule, sagaCompensationRule, sagaRule, sagaStepRule } from "./elements/saga.js";
import { branchRule, sequenceRule } from "./elements/sequence.js";
import { handlingPartRule, tryCatchFinallyRule, tryPartRule } from "./elements/try-catch-finally.js";
import { workflowRule } from "./elements/workflow.js";
import { worktreeRule } from "./elements/worktree.js";
import { frameError } from "./frame-error.js";
import { approvalRule } from "./tasks/approval.js";
import { sandboxRule } from "./tasks/sandbox.js";
import { subflowRule } from "./tasks/subflow.js";
import { signalRule, waitForEventRule } from "./tasks/events.js";
import { humanTaskRule } from "./tasks/human.js";
import { subflowResultRule } from "./tasks/subflow-result.js";
import { taskRule } from "./tasks/task.js";
import { timerRule } from "./tasks/timer.js";

/** The rule of each tag. A new element is a file and a line here. */
const ELEMENT_RULES: Readonly<Record<HostTag, ElementRule>> = {
  Workflow: workflowRule,
  Sequence: sequenceRule,
  Parallel: parallelRule,
  MergeQueue: mergeQueueRule,
  Branch: branchRule,
  Loop: loopRule,
  Worktree: worktreeRule,
  Aspects: aspectsRule,
  Saga: sagaRule,
  SagaStep: sagaStepRule,
  SagaAction: sagaActionRule,
  SagaCompensation: sagaCompensationRule,
  TryCatchFinally: tryCatchFinallyRule,
  TryPart: tryPartRule,
  CatchPart: handlingPartRule,
  FinallyPart: handlingPartRule,
  InlineSubflow: inlineSubflowRule,
  SubflowResult: subflowResultRule,
  ContinueAsNew: continueAsNewRule,
  Task: taskRule,
  Approval: approvalRule,
  Signal: signalRule,
  WaitForEvent: waitForEventRule,
  Timer: timerRule,
  HumanTask: humanTaskRule,
  Subflow: subflowRule,
  SandboxRun: sandboxRule,
  SandboxEnd: sandboxRule,
};

/** Undefined for tags that are not workflow elements. */
export function knownRule(tag: string): ElementRule | undefined {
  return Object.hasOwn(ELEMENT_RULES, tag) ? ELEMENT_RULES[tag as HostTag] : undefined;
}

/** @throws WORKFLOW_TREE_INVALID for tags that are not workflow elements. */
export function ruleOf(element: HostElement): ElementRule {
  const rule = knownRule(element.tag);
  if (rule !== undefined) return rule;
  throw frameError(
    "WORKFLOW_TREE_INVALID",
    element,
    element.tag.charCodeAt(0) >= 97 ? "is prompt markup outside a task." : "is not an element of a workflow.",
  );
}
