import type { HostElement } from "../model/host-node.js";
import { type IdScope, ownPrefix, pathInside } from "../model/id-scope.js";
import { pathOfScope, scopeId } from "../model/address.js";
import type { InlineToken, RenderRuntime } from "../model/render-runtime.js";
import type { AncestorContext } from "./ancestor-context.js";
import type { Extraction } from "./element-rule.js";
import { knownFacts } from "./facts.js";

/** Of an inline subflow: what the run has kept, or else what its token says, or else that of the place around. */
export function scopeInside(element: HostElement, around: AncestorContext, { runtime }: Extraction): IdScope {
  const path = pathInside(around.scope, String(element.props["id"]));
  return { path, prefix: keptPrefix(path, runtime) ?? tokenOf(element).prefix ?? around.scope.prefix };
}

function keptPrefix(path: string, runtime: RenderRuntime): string | undefined {
  const kept = runtime.control(scopeId(path));
  return kept?.kind === "inline" ? kept.prefix : undefined;
}

function tokenOf(element: HostElement): InlineToken {
  return element.props["token"] as InlineToken;
}

/**
 * The inline subflows of one tree that get a prefix of their own because their ids are taken. A scope
 * that the run has kept stays as it is.
 */
export class NewScopes {
  readonly #runtime: RenderRuntime;
  readonly #parted = new Set<HostElement>();

  constructor(runtime: RenderRuntime) {
    this.#runtime = runtime;
  }

  get isEmpty(): boolean {
    return this.#parted.size === 0;
  }

  /** Tells the components, which are rendered again. */
  announce(): void {
    for (const subflow of this.#parted) {
      const token = tokenOf(subflow);
      token.prefix = ownPrefix(token.path);
    }
  }

  /** Two elements have one id: the outermost undecided subflow that only one of them is in gets a prefix. False without one. */
  part(element: HostElement, owner: HostElement): boolean {
    if (this.hasLeft(element) || this.hasLeft(owner)) return true;
    const subflow = this.#undecidedAround(element, owner) ?? this.#undecidedAround(owner, element);
    if (subflow === undefined) return false;
    this.#parted.add(subflow);
    return true;
  }

  /** The id that it has in this tree is not the one that it gets. */
  hasLeft(element: HostElement): boolean {
    return subflowsAround(element).some((each) => this.#parted.has(each));
  }

  /**
   * A subflow that the run has not known does not take the rows of one that has left the tree.
   *
   * @param tasks of the tree
   * @param mounted paths of its inline subflows
   */
  partFromLeft(tasks: readonly HostElement[], mounted: ReadonlySet<string>): void {
    if (!this.#someHaveLeft(mounted)) return;
    for (const task of tasks) {
      if (this.hasLeft(task) || !this.#runtime.hasNode(knownFacts(task).address)) continue;
      const subflow = subflowsAround(task).find((each) => this.#isUndecided(each));
      if (subflow !== undefined) this.#parted.add(subflow);
    }
  }

  #someHaveLeft(mounted: ReadonlySet<string>): boolean {
    for (const id of this.#runtime.controlIds()) {
      const path = pathOfScope(id);
      if (path === undefined || mounted.has(path)) continue;
      if (keptPrefix(path, this.#runtime) !== ownPrefix(path)) return true;
    }
    return false;
  }

  #undecidedAround(element: HostElement, other: HostElement): HostElement | undefined {
    const shared = new Set(subflowsAround(other));
    return subflowsAround(element).find((each) => !shared.has(each) && this.#isUndecided(each));
  }

  #isUndecided(subflow: HostElement): boolean {
    const { path, prefix } = tokenOf(subflow);
    return prefix === undefined && keptPrefix(path, this.#runtime) === undefined;
  }
}

/** In whose scopes an element stands, outermost first. A subflow's result is in the scope around the subflow. */
export function subflowsAround(element: HostElement): HostElement[] {
  const around: HostElement[] = [];
  let at = element.tag === "SubflowResult" ? (element.parent?.parent ?? null) : element.parent;
  for (; at !== null; at = at.parent) if (at.tag === "InlineSubflow") around.unshift(at);
  return around;
}
