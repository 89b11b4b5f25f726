import type { HostElement } from "../model/host-node.js";
import type { ElementRule, Facts } from "./element-rule.js";
import type { AncestorContext } from "./ancestor-context.js";

export function newFacts(rule: ElementRule, around: AncestorContext): Facts {
  return {
    rule,
    revision: 0,
    around,
    inner: around,
    address: "",
    task: undefined,
    aspects: undefined,
    plan: undefined,
    planStale: true,
    isLeftOut: false,
    xml: undefined,
    xmlStale: true,
  };
}

export function factsOf(element: HostElement): Facts | undefined {
  return element.memo as Facts | undefined;
}

/** Facts of an element that the first pass has visited. */
export function knownFacts(element: HostElement): Facts {
  return element.memo as Facts;
}

/** A task's descriptor was replaced although nothing around it changed. */
export function markPlanStale(element: HostElement): void {
  markUpwards(element, "planStale");
}

/** The words of a task's question changed although nothing around it did. */
export function markXmlStale(element: HostElement): void {
  markUpwards(element, "xmlStale");
}

function markUpwards(element: HostElement, mark: "planStale" | "xmlStale"): void {
  let current: HostElement | null = element;
  while (current !== null) {
    const facts = factsOf(current);
    if (facts === undefined || (facts[mark] && current !== element)) return;
    facts[mark] = true;
    current = current.parent;
  }
}
