import type { HostElement } from "../../model/host-node.js";
import { defaultId } from "../../model/place.js";
import type { GroupRule, Site } from "../element-rule.js";
import { readCount } from "../props.js";
import type { AncestorContext } from "../ancestor-context.js";
import { childPlans, groupId, withSkip } from "./arrangement.js";

export const parallelRule: GroupRule = groupRule("parallel", undefined);

/** A group that lets one task through at a time, unless it says otherwise. */
export const mergeQueueRule: GroupRule = groupRule("merge-queue", 1);

function groupRule(kind: string, defaultCap: number | undefined): GroupRule {
  return {
    kind: "group",
    attributes: ["id", "maxConcurrency", "skipIf"],
    enter({ element, around, facts }: Site): AncestorContext {
      facts.address = groupId(element, around) ?? defaultId(kind, element.path);
      const cap = capOf(element, defaultCap);
      return withSkip(
        { ...around, group: { id: facts.address, ...(cap !== undefined && { cap }) } },
        element,
      );
    },
    plan(site, planOf) {
      const children = childPlans(site, planOf);
      if (children.length === 0) return undefined;
      const cap = site.facts.inner.group?.cap;
      return { kind: "parallel", id: site.facts.address, ...(cap !== undefined && { cap }), children };
    },
  };
}

function capOf(element: HostElement, defaultCap: number | undefined): number | undefined {
  const cap = readCount(element, "maxConcurrency", { min: 1, infinite: true }) ?? defaultCap;
  return cap === Number.POSITIVE_INFINITY ? undefined : cap;
}
