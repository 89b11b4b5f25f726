import type { HostElement } from "../../model/host-node.js";
import type { PlanNode } from "../../model/plan.js";
import { sameData } from "../../util/same-data.js";
import type { Extraction } from "../element-rule.js";
import { knownFacts } from "../facts.js";

/**
 * From the leaves up: the plan of an element. A plan that says the
 * same as the one before is that one, so unchanged parts are shared between frames.
 */
export function buildPlan(element: HostElement, extraction: Extraction): PlanNode | undefined {
  const facts = knownFacts(element);
  if (!facts.planStale) return facts.plan;
  const next = planOf(element, extraction);
  // Children that are the same objects compare at once.
  if (!sameData(next, facts.plan)) facts.plan = next;
  facts.planStale = false;
  return facts.plan;
}

function planOf(element: HostElement, extraction: Extraction): PlanNode | undefined {
  const facts = knownFacts(element);
  if (facts.isLeftOut) return undefined;
  if (facts.rule.kind === "group") {
    const site = { element, around: facts.around, facts, extraction };
    return facts.rule.plan(site, (child) => buildPlan(child, extraction));
  }
  const { task } = facts;
  return task === undefined ? undefined : { kind: "task", task };
}
