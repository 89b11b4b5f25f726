import type { HostElement } from "../../model/host-node.js";
import type { Extraction } from "../element-rule.js";
import { factsOf } from "../facts.js";
import { applyContent } from "../tasks/content.js";
import { checkContent } from "./assign-scopes.js";

/** Brings functions, rows and prompts of mounted tasks up to date, except of those just described. */
export function refreshContent(
  changed: Iterable<HostElement>,
  described: ReadonlySet<HostElement>,
  extraction: Extraction,
): void {
  for (const element of changed) {
    const facts = factsOf(element);
    // Unknown = unmounted since the change, in a frame that was refused.
    if (facts === undefined || described.has(element)) continue;
    if (facts.task === undefined) checkContent(element);
    else applyContent(element, facts.task, extraction);
  }
}
