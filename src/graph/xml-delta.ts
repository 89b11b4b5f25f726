import type { XmlElement, XmlNode } from "../model/xml.js";
import { applyTextEdit, editText, type TextEdit } from "./text-edit.js";
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
