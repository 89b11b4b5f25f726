import type { AspectsSpec } from "../../model/graph.js";
import type { HostElement } from "../../model/host-node.js";
import { knownFacts } from "../facts.js";
import { elementName, frameError } from "../frame-error.js";

/** What is mounted, in document order. */
export interface Mounted {
  /** Elements that are tasks. */
  readonly tasks: readonly HostElement[];
  readonly nodeIds: ReadonlySet<string>;
  readonly aspects: Record<string, AspectsSpec>;
}

/**
 * Second pass, over the whole tree: collects tasks and ids.
 *
 * @throws ServiceError DUPLICATE_ID when two tasks, two scopes with a state
 * (Loop, Saga, TryCatchFinally) or two Aspects have the same id.
 */
export function collectIds(root: HostElement): Mounted {
  const tasks: HostElement[] = [];
  const nodes = new Map<string, HostElement>();
  const controls = new Map<string, HostElement>();
  const budgets = new Map<string, HostElement>();
  const aspects: Record<string, AspectsSpec> = {};
  const visit = (element: HostElement) => {
    const facts = knownFacts(element);
    if (facts.rule.kind === "task") {
      claim(nodes, facts.address, element);
      tasks.push(element);
      return;
    }
    if (facts.rule.hasState === true) claim(controls, facts.address, element);
    if (facts.aspects !== undefined) {
      claim(budgets, facts.address, element);
      aspects[facts.address] = facts.aspects;
    }
    for (const child of element.children) if (child.kind === "element") visit(child);
  };
  for (const child of root.children) if (child.kind === "element") visit(child);
  return { tasks, nodeIds: new Set(nodes.keys()), aspects };
}

function claim(owners: Map<string, HostElement>, id: string, element: HostElement): void {
  const owner = owners.get(id);
  if (owner !== undefined) {
    throw frameError("DUPLICATE_ID", element, `has the id of another element: ${elementName(owner)}.`);
  }
  owners.set(id, element);
}
