import type { SerializedError } from "../../errors/ensure-error.js";
import type { HostElement } from "../../model/host-node.js";
import type { PlanNode } from "../../model/plan.js";
import type { Site } from "../element-rule.js";
import { readFlag, readOptionalId } from "../props.js";
import type { AncestorContext } from "../ancestor-context.js";

type PlanOf = (child: HostElement) => PlanNode | undefined;

export function childPlans({ element }: Site, planOf: PlanOf): PlanNode[] {
  const plans: PlanNode[] = [];
  for (const child of element.children) {
    if (child.kind !== "element") continue;
    const plan = planOf(child);
    if (plan !== undefined) plans.push(plan);
  }
  return plans;
}

/** One after the other, without a wrapper where there is at most one. */
function inSequence(children: PlanNode[]): PlanNode | undefined {
  return children.length < 2 ? children[0] : { kind: "sequence", children };
}

/** As {@link inSequence}, where a plan must exist. */
export function sequenceOf(children: PlanNode[]): PlanNode {
  return inSequence(children) ?? { kind: "sequence", children };
}

export function planInSequence(site: Site, planOf: PlanOf): PlanNode | undefined {
  return inSequence(childPlans(site, planOf));
}

/** The ancestor context for children of an element that only passes `skipIf` on. */
export function enterWithSkip({ element, around }: Site): AncestorContext {
  return withSkip(around, element);
}

export function withSkip(around: AncestorContext, element: HostElement): AncestorContext {
  return readFlag(element, "skipIf") === true && !around.skip ? { ...around, skip: true } : around;
}

/** The id that an element which can do without one was given. */
export function groupId(element: HostElement, { scope }: AncestorContext): string | undefined {
  const id = readOptionalId(element);
  return id === undefined ? undefined : scope.prefix + id;
}

/** The first child element with this tag. */
export function part(element: HostElement, tag: string): HostElement | undefined {
  for (const child of element.children) if (child.kind === "element" && child.tag === tag) return child;
  return undefined;
}

/** The error of the part's rendering: the part is empty then. */
export function thrownIn(found: HostElement | undefined): SerializedError | undefined {
  return found?.props["thrown"] as SerializedError | undefined;
}
