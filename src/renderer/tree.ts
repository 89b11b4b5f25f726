import type { HostElement, HostNode, HostProps, HostRoot, HostText } from "../model/host-node.js";
import { compareProps } from "./compare-props.js";
import { markdownOf } from "./markdown.js";

/*
 * The host tree and the operations on it. Owns parent and child links, and the
 * bookkeeping of what changed; knows neither React nor what an element means.
 *
 * T1. After a structural change every ancestor's revision is the tree's current
 *     one, so a reader that finds an element's revision unchanged may skip it.
 * T2. A change of text or markup is a content change of the closest workflow
 *     element around it, never a structural one; so is another label of it.
 */

/** Most elements are tasks without child nodes; they share one empty list until something is appended. */
const NO_CHILDREN: HostNode[] = [];

/** One tree, from mount to disposal. */
export class HostTree implements HostRoot {
  readonly element: TreeElement;
  /** Current revision; it grows with each commit. */
  revision = 1;
  /** Whether something was ever mounted and then hidden. */
  hasHidden = false;
  /** Some element has a path. */
  hasPaths = false;
  #contentChanges = new Set<HostElement>();

  constructor() {
    this.element = this.createElement("#root", {}, "");
  }

  createElement(tag: string, props: HostProps, path: string): TreeElement {
    if (path !== "") this.hasPaths = true;
    return {
      kind: "element",
      tag,
      props,
      parent: null,
      children: NO_CHILDREN,
      path,
      revision: this.revision,
      memo: undefined,
      tree: this,
    };
  }

  takeContentChanges(): Iterable<HostElement> {
    if (this.#contentChanges.size === 0) return [];
    const changes = this.#contentChanges;
    this.#contentChanges = new Set();
    return changes;
  }

  promptOf(element: HostElement): string {
    return markdownOf(element);
  }

  markContent(element: HostElement): void {
    this.#contentChanges.add(element);
  }
}

export interface TreeElement extends HostElement {
  readonly tree: HostTree;
}

export function createText(text: string): HostText {
  return { kind: "text", text, parent: null };
}

/** Links a child while the parent is still being built; neither of them was read yet. */
export function appendInitial(parent: TreeElement, child: HostNode): void {
  child.parent = parent;
  if (parent.children === NO_CHILDREN) parent.children = [child];
  else parent.children.push(child);
}

export function append(parent: TreeElement, child: HostNode): void {
  detach(parent, child);
  appendInitial(parent, child);
  markChildren(parent, child);
}

export function insertBefore(parent: TreeElement, child: HostNode, before: HostNode): void {
  detach(parent, child);
  child.parent = parent;
  parent.children.splice(parent.children.indexOf(before), 0, child);
  markChildren(parent, child);
}

export function remove(parent: TreeElement, child: HostNode): void {
  detach(parent, child);
  child.parent = null;
  markChildren(parent, child);
}

export function clear(parent: TreeElement): void {
  for (const child of parent.children) child.parent = null;
  parent.children = NO_CHILDREN;
  markStructure(parent);
}

/** Its author has taken its id away. */
export function givePath(element: TreeElement, path: string): void {
  element.path = path;
  element.tree.hasPaths = true;
}

/** It stands in another place, though React has kept it. */
export function markMoved(element: TreeElement, path: string): void {
  if (element.path === "") return;
  element.path = path;
  markStructure(element);
}

export function setText(node: HostText, text: string): void {
  node.text = text;
  if (node.parent !== null) markContentAround(node.parent as TreeElement);
}

export function setProps(element: TreeElement, previous: HostProps, next: HostProps): void {
  element.props = next;
  const change = compareProps(previous, next);
  if (change === "none") return;
  if (change === "content" || isMarkup(element)) markContentAround(element);
  else markStructure(element);
}

/** Prompt markup such as `p` or `code`, as opposed to a workflow element. */
export function isMarkup(node: HostNode): boolean {
  return node.kind === "element" && isMarkupTag(node.tag);
}

export function isMarkupTag(tag: string): boolean {
  // Lower-case ASCII letters; `#root` and capitals come before them.
  return tag.charCodeAt(0) >= 97;
}

function detach(parent: TreeElement, child: HostNode): void {
  if (child.parent !== parent) return;
  const index = parent.children.indexOf(child);
  if (index >= 0) parent.children.splice(index, 1);
}

function markChildren(parent: TreeElement, child: HostNode): void {
  if (child.kind === "text" || isMarkup(child)) markContentAround(parent);
  else markStructure(parent);
}

function markContentAround(element: TreeElement): void {
  let owner: HostElement | null = element;
  while (owner !== null && isMarkup(owner)) owner = owner.parent;
  if (owner !== null) element.tree.markContent(owner);
}

function markStructure(element: TreeElement): void {
  const revision = element.tree.revision;
  let current: HostElement | null = element;
  while (current !== null && current.revision !== revision) {
    current.revision = revision;
    current = current.parent;
  }
}
