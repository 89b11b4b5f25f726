import type { HostElement, HostTag } from "../model/host-node.js";
import type { ElementRule } from "./element-rule.js";
import { loopRule } from "./elements/loop.js";
import { mergeQueueRule, parallelRule } from "./elements/parallel.js";
import { branchRule, sequenceRule } from "./elements/sequence.js";
import { workflowRule } from "./elements/workflow.js";
import { frameError } from "./frame-error.js";
import { taskRule } from "./tasks/task.js";

/** What each tag means. */
const ELEMENT_RULES: Readonly<Partial<Record<HostTag, ElementRule>>> = {
  Workflow: workflowRule,
  Sequence: sequenceRule,
  Parallel: parallelRule,
  MergeQueue: mergeQueueRule,
  Branch: branchRule,
  Loop: loopRule,
  Task: taskRule,
};

/** @throws ServiceError WORKFLOW_TREE_INVALID for tags that are not workflow elements. */
export function ruleOf(element: HostElement): ElementRule {
  const rule = Object.hasOwn(ELEMENT_RULES, element.tag) ? ELEMENT_RULES[element.tag as HostTag] : undefined;
  if (rule !== undefined) return rule;
  throw frameError(
    "WORKFLOW_TREE_INVALID",
    element,
    element.tag.charCodeAt(0) >= 97 ? "is prompt markup outside a task." : "is not an element of a workflow.",
  );
}
