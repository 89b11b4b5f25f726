import type { HostElement } from "../../model/host-node.js";
import type { TaskDescriptor } from "../../model/task.js";
import { sameData } from "../../util/same-data.js";
import type { Extraction } from "../element-rule.js";
import { knownFacts } from "../facts.js";
import { readAutoApprove } from "../tasks/auto-approve.js";
import { evaluateCacheBy } from "../tasks/cache-by.js";

/** Whether a described task has functions of the context in its props: these answer anew in each frame. */
export function isContextual(element: HostElement): boolean {
  const { task } = knownFacts(element);
  return (
    task !== undefined && (task.cachePolicy?.by !== undefined || element.props["autoApprove"] !== undefined)
  );
}

/**
 * Asks these functions again.
 *
 * @returns the tasks that their answers define anew
 */
export function refreshContextual(elements: Iterable<HostElement>, extraction: Extraction): HostElement[] {
  const changed: HostElement[] = [];
  for (const element of elements) {
    const facts = knownFacts(element);
    const site = { element, around: facts.around, facts, extraction };
    const task = facts.task as TaskDescriptor;
    // Only looked at when the task is performed.
    if (task.cachePolicy !== undefined) task.cacheBy = evaluateCacheBy(site, task.cachePolicy);
    if (!sameData(readAutoApprove(site), task.approvalAutoApprove)) changed.push(element);
  }
  return changed;
}
