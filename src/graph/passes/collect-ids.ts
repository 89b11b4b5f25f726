import type { AspectsSpec } from "../../model/graph.js";
import type { HostElement } from "../../model/host-node.js";
import type { Facts } from "../element-rule.js";
import { knownFacts, markPlanStale } from "../facts.js";
import { frameError } from "../frame-error.js";
import { duplicateId } from "./duplicate-id.js";

/** What is mounted, in document order. */
export interface Mounted {
  /** Elements that are tasks. */
  readonly tasks: readonly HostElement[];
  readonly nodeIds: ReadonlySet<string>;
  readonly aspects: Record<string, AspectsSpec>;
}

/**
 * Over the whole tree: collects tasks and ids. What stands in a
 * structure with `skipIf` gives way: where its id is another's, it is left out.
 *
 * @throws DUPLICATE_ID when two tasks, two elements with a state
 * (Loop, Saga, TryCatchFinally) or two Aspects have the same id, or a Worktree
 * has that of one with another path.
 */
export function collectIds(root: HostElement): Mounted {
  const tasks: HostElement[] = [];
  const owners: Owners = { nodes: new Map(), controls: new Map(), budgets: new Map(), worktrees: new Map() };
  const aspects: Record<string, AspectsSpec> = {};
  for (const child of root.children) if (child.kind === "element") claimIds(child, owners);
  const visit = (element: HostElement) => {
    const facts = knownFacts(element);
    const isLeftOut = givesWay(element, owners);
    if (isLeftOut !== facts.isLeftOut) {
      facts.isLeftOut = isLeftOut;
      markPlanStale(element);
    }
    if (isLeftOut) return;
    if (facts.rule.kind === "task") {
      tasks.push(element);
      return;
    }
    if (facts.aspects !== undefined) aspects[facts.address] ??= facts.aspects;
    for (const child of element.children) if (child.kind === "element") visit(child);
  };
  for (const child of root.children) if (child.kind === "element") visit(child);
  return { tasks, nodeIds: new Set(owners.nodes.keys()), aspects };
}

/** Which element has which id. */
interface Owners {
  readonly nodes: Map<string, HostElement>;
  readonly controls: Map<string, HostElement>;
  readonly budgets: Map<string, HostElement>;
  readonly worktrees: Map<string, HostElement>;
}

/** Ids of everything that is not skipped as a whole. */
function claimIds(element: HostElement, owners: Owners): void {
  const facts = knownFacts(element);
  if (isSkipped(facts)) return;
  if (facts.rule.kind === "task") return claim(owners.nodes, facts.address, element);
  if (facts.rule.hasState === true) claim(owners.controls, facts.address, element);
  if (facts.aspects !== undefined) claim(owners.budgets, facts.address, element);
  if (element.tag === "Worktree") claimWorktree(owners.worktrees, element);
  for (const child of element.children) if (child.kind === "element") claimIds(child, owners);
}

/** A structure around it, or it itself as a structure, has `skipIf`. */
function isSkipped({ rule, around, inner }: Facts): boolean {
  return rule.kind === "task" ? around.skip : inner.skip;
}

/** Takes the id of something that is skipped, unless it is another's. */
function givesWay(element: HostElement, { nodes, controls }: Owners): boolean {
  const facts = knownFacts(element);
  if (!isSkipped(facts)) return false;
  const owners = facts.rule.kind === "task" ? nodes : facts.rule.hasState === true ? controls : undefined;
  if (owners === undefined) return false;
  if (!owners.has(facts.address)) owners.set(facts.address, element);
  return owners.get(facts.address) !== element;
}

/** Two elements of one id are one worktree, which stands in one place. */
function claimWorktree(owners: Map<string, HostElement>, element: HostElement): void {
  const { address, inner } = knownFacts(element);
  const owner = owners.get(address);
  const path = owner === undefined ? undefined : knownFacts(owner).inner.worktree?.path;
  if (path !== undefined && path !== inner.worktree?.path) {
    throw frameError(
      "DUPLICATE_ID",
      element,
      `has path=${JSON.stringify(inner.worktree?.path)} and the id of another Worktree, which has path=${JSON.stringify(path)}.`,
    );
  }
  owners.set(address, element);
}

function claim(owners: Map<string, HostElement>, id: string, element: HostElement): void {
  const owner = owners.get(id);
  if (owner !== undefined) throw duplicateId(element, owner);
  owners.set(id, element);
}
