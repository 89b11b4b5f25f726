import { ServiceError } from "../errors/service-error.js";
import type { XmlElement, XmlNode } from "../model/xml.js";
import { applyListDelta, diffLists, type ItemDelta, type ListDelta } from "./list-delta.js";

/** How to make one element of another with the same tag. */
export interface XmlDelta {
  /** Props that changed: the text, or what changed of it; null = gone. */
  props?: Record<string, PropDelta>;
  children?: ListDelta<XmlNode, XmlDelta>;
}

type PropDelta = string | TextEdit | null;

/** Elements are versions of each other when tag and id are the same; texts are when they are equal. */
const xmlItems: ItemDelta<XmlNode, XmlDelta> = {
  keyOf: (node) => (node.kind === "text" ? `"${node.text}` : `${node.tag} ${node.props["id"] ?? ""}`),
  sameKey(a, b) {
    if (a.kind === "text" || b.kind === "text")
      return a.kind === "text" && b.kind === "text" && a.text === b.text;
    return a.tag === b.tag && (a.props["id"] ?? "") === (b.props["id"] ?? "");
  },
  diff: (previous, next) =>
    previous.kind === "element" && next.kind === "element" ? diffElements(previous, next) : null,
};

/** Null when they are equal. Subtrees that are the same object are not looked into. */
export function diffElements(previous: XmlElement, next: XmlElement): XmlDelta | null {
  if (previous === next) return null;
  const delta: XmlDelta = {};
  const props = diffProps(previous.props, next.props);
  if (props !== null) delta.props = props;
  const children = diffLists(previous.children, next.children, xmlItems);
  if (children !== null) delta.children = children;
  return props === null && children === null ? null : delta;
}

export function applyXmlDelta(node: XmlNode, delta: XmlDelta): XmlNode {
  if (node.kind === "text") return node;
  const { props, children } = delta;
  return {
    ...node,
    ...(props !== undefined && { props: applyProps(node.props, props) }),
    ...(children !== undefined && { children: applyListDelta(node.children, children, applyXmlDelta) }),
  };
}

function diffProps(
  previous: Record<string, string>,
  next: Record<string, string>,
): Record<string, PropDelta> | null {
  if (previous === next) return null;
  let changed: Record<string, PropDelta> | null = null;
  for (const name in next) {
    const [before, after] = [previous[name], next[name] as string];
    if (before === after) continue;
    changed ??= {};
    changed[name] = before === undefined ? after : editText(before, after);
  }
  for (const name in previous) {
    if (Object.hasOwn(next, name)) continue;
    changed ??= {};
    changed[name] = null;
  }
  return changed;
}

function applyProps(
  props: Record<string, string>,
  changed: Record<string, PropDelta>,
): Record<string, string> {
  const next = { ...props };
  for (const [name, value] of Object.entries(changed)) {
    if (value === null) delete next[name];
    else next[name] = typeof value === "string" ? value : applyTextEdit(next[name] as string, value);
  }
  return next;
}

/**
 * How to make one text of another: `[behind, dropped, inserted]` puts `inserted`
 * in the place of the `dropped` characters before the last `behind` ones. Counted
 * from the end, because texts of a list begin with what tells them apart: a count
 * in the labels of many tasks is then the same edit in each of them.
 */
type TextEdit = readonly [behind: number, dropped: number, inserted: string];

/** Characters of JSON that an edit takes besides what it inserts, about. */
const EDIT_SIZE = 8;

/** The edit, or the text itself where that is shorter. */
export function editText(before: string, after: string): TextEdit | string {
  const shorter = Math.min(before.length, after.length);
  let behind = 0;
  while (
    behind < shorter &&
    before.charCodeAt(before.length - 1 - behind) === after.charCodeAt(after.length - 1 - behind)
  )
    behind += 1;
  let ahead = 0;
  while (ahead < shorter - behind && before.charCodeAt(ahead) === after.charCodeAt(ahead)) ahead += 1;
  const inserted = after.slice(ahead, after.length - behind);
  if (inserted.length + EDIT_SIZE > after.length) return after;
  return [behind, before.length - ahead - behind, inserted];
}

/** @throws STORAGE_ERROR when there is nothing that the edit could be of */
export function applyTextEdit(before: string, [behind, dropped, inserted]: TextEdit): string {
  const ahead = before.length - behind - dropped;
  if (ahead >= 0) return before.slice(0, ahead) + inserted + before.slice(before.length - behind);
  throw new ServiceError("STORAGE_ERROR", "A stored change is about more characters than there are.");
}
