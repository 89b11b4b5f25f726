import type { HostElement } from "../../model/host-node.js";
import type { Extraction } from "../element-rule.js";
import { factsOf, markXmlStale } from "../facts.js";
import { applyContent } from "../tasks/content.js";
import { checkContent } from "./assign-scopes.js";

/**
 * Brings functions, rows and prompts of mounted tasks up to date, except of those
 * just described. Returns whether one of them asks something else now.
 */
export function refreshContent(
  changed: Iterable<HostElement>,
  described: ReadonlySet<HostElement>,
  extraction: Extraction,
): boolean {
  let isReworded = false;
  for (const element of changed) {
    const facts = factsOf(element);
    // Unknown = unmounted since the change, in a frame that was refused.
    if (facts === undefined || described.has(element)) continue;
    if (facts.task === undefined) checkContent(element);
    else {
      const before = facts.task.prompt;
      applyContent(element, facts.task, extraction);
      if (facts.task.prompt === before) continue;
      markXmlStale(element);
      isReworded = true;
    }
  }
  return isReworded;
}
