import type { AspectsSpec } from "../../model/graph.js";
import type { HostElement } from "../../model/host-node.js";
import type { Facts } from "../element-rule.js";
import { knownFacts, markPlanStale } from "../facts.js";
import { scopeId } from "../../model/address.js";
import type { InlineState } from "../../model/plan.js";
import { frameError } from "../frame-error.js";
import type { NewScopes } from "../inline-scopes.js";
import { duplicateId } from "./duplicate-id.js";

/** Mounted elements, in document order. */
export interface Mounted {
  readonly tasks: readonly HostElement[];
  readonly nodeIds: ReadonlySet<string>;
  readonly aspects: Record<string, AspectsSpec>;
  readonly inlines: readonly InlineState[];
}

/**
 * Over the whole tree: collects tasks and ids. An element in a
 * structure with `skipIf` gives way: where its id is another's, it is left out. So does an inline subflow
 * that is new to the run: its ids get a prefix, which `scopes` records.
 *
 * @throws DUPLICATE_ID when two tasks, two elements with a state
 * (Loop, Saga, TryCatchFinally) or two Aspects have the same id, or a Worktree
 * has that of one with another path.
 */
export function collectIds(root: HostElement, scopes: NewScopes): Mounted {
  const tasks: HostElement[] = [];
  const owners: Owners = {
    nodes: new Map(),
    controls: new Map(),
    budgets: new Map(),
    worktrees: new Map(),
    scopes,
    inlines: new Map(),
  };
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
  scopes.partFromLeft(tasks, new Set(owners.inlines.keys()));
  const inlines = [...owners.inlines].map(
    ([path, prefix]): InlineState => ({ kind: "inline", id: scopeId(path), prefix }),
  );
  return { tasks, nodeIds: new Set(owners.nodes.keys()), aspects, inlines };
}

/** Which element has which id. */
interface Owners {
  readonly nodes: Map<string, HostElement>;
  readonly controls: Map<string, HostElement>;
  readonly budgets: Map<string, HostElement>;
  readonly worktrees: Map<string, HostElement>;
  readonly scopes: NewScopes;
  /** Prefixes by path. */
  readonly inlines: Map<string, string>;
}

/** Ids of everything that is not skipped as a whole. */
function claimIds(element: HostElement, owners: Owners): void {
  const facts = knownFacts(element);
  if (isSkipped(facts)) return;
  const { scopes, inlines } = owners;
  if (facts.rule.kind === "task") return claim(owners.nodes, facts.address, { element, scopes });
  if (facts.rule.hasState === true) claim(owners.controls, facts.address, { element, scopes });
  if (facts.aspects !== undefined) claim(owners.budgets, facts.address, { element, scopes });
  if (element.tag === "Worktree") claimWorktree(owners.worktrees, { element, scopes });
  if (element.tag === "InlineSubflow") inlines.set(facts.inner.scope.path, facts.inner.scope.prefix);
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
function claimWorktree(owners: Map<string, HostElement>, { element, scopes }: Claim): void {
  const { address, inner } = knownFacts(element);
  const owner = owners.get(address);
  const path = owner === undefined ? undefined : knownFacts(owner).inner.worktree?.path;
  const isOther = owner !== undefined && path !== undefined && path !== inner.worktree?.path;
  if (isOther && !scopes.part(element, owner)) {
    throw frameError(
      "DUPLICATE_ID",
      element,
      `has path=${JSON.stringify(inner.worktree?.path)} and the id of another Worktree, which has path=${JSON.stringify(path)}.`,
    );
  }
  owners.set(address, element);
}

interface Claim {
  readonly element: HostElement;
  readonly scopes: NewScopes;
}

function claim(owners: Map<string, HostElement>, id: string, { element, scopes }: Claim): void {
  const owner = owners.get(id);
  if (owner !== undefined && !scopes.part(element, owner)) throw duplicateId(element, owner);
  if (owner === undefined || scopes.hasLeft(owner)) owners.set(id, element);
}
