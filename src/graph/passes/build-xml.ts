import type { HostElement } from "../../model/host-node.js";
import type { XmlElement, XmlNode } from "../../model/xml.js";
import { isPlainObject, sameData } from "../../util/same-data.js";
import { stableJson } from "../../util/stable-json.js";
import { agentIds } from "../fingerprint.js";
import type { Facts } from "../element-rule.js";
import { knownFacts } from "../facts.js";

/**
 * From the leaves up: the tree as data, for people and for storage.
 * The prompts and questions of tasks are texts in it; functions and rows are
 * left out. As with plans, equal content is the same object.
 */
export function buildXml(element: HostElement): XmlElement {
  const facts = knownFacts(element);
  if (!facts.xmlStale && facts.xml !== undefined) return facts.xml;
  const next: XmlElement = {
    kind: "element",
    tag: element.tag,
    props: attributesOf(element, facts),
    children: facts.rule.kind === "task" ? textsOf(facts) : childrenOf(element),
  };
  if (facts.xml === undefined || !sameXml(next, facts.xml)) facts.xml = next;
  facts.xmlStale = false;
  return facts.xml;
}

const NO_CHILDREN: XmlNode[] = [];

function childrenOf(element: HostElement): XmlNode[] {
  const children: XmlNode[] = [];
  for (const child of element.children) if (child.kind === "element") children.push(buildXml(child));
  return children;
}

/** Characters of one text: a frame shows what is asked, an attempt is given all of it. */
const LONGEST_TEXT = 2_000;

/** The prompt of an agent or person; the request and the options of an Approval. */
function textsOf({ task }: Facts): XmlNode[] {
  if (task === undefined) return NO_CHILDREN;
  const { prompt, approvalOptions = [] } = task;
  // Of a person's task the request is only its label again.
  const { title, summary } = (task.kind === "approval" && task.approvalRequest) || {};
  const options = approvalOptions.map(({ key, label }) => `${key}: ${label}`);
  const texts = [title, summary, ...options, prompt].filter((text) => text !== undefined && text !== "");
  return texts.length === 0 ? NO_CHILDREN : (texts as string[]).map(textNode);
}

/** Whether a text of a frame is all of what was written. */
export function isWholeText(text: string): boolean {
  return text.length <= LONGEST_TEXT;
}

function textNode(text: string): XmlNode {
  const rest = text.length - LONGEST_TEXT;
  return {
    kind: "text",
    text: rest > 0 ? `${text.slice(0, LONGEST_TEXT)}… (${rest} characters more)` : text,
  };
}

function sameXml(next: XmlElement, previous: XmlElement): boolean {
  return (
    sameData(next.props, previous.props) &&
    next.children.length === previous.children.length &&
    next.children.every((child, index) => isSameNode(child, previous.children[index] as XmlNode))
  );
}

function isSameNode(next: XmlNode, previous: XmlNode): boolean {
  return (
    next === previous || (next.kind === "text" && previous.kind === "text" && next.text === previous.text)
  );
}

function attributesOf(element: HostElement, facts: Facts): Record<string, string> {
  const attributes: Record<string, string> = {};
  if (facts.address !== "") attributes["id"] = facts.address;
  const iteration = facts.rule.kind === "group" && facts.rule.hasIteration === true;
  if (iteration) attributes["iteration"] = String(facts.inner.loops.at(-1)?.iteration);
  for (const name of facts.rule.attributes) {
    const value = element.props[name];
    if (value === undefined || value === null) continue;
    const text = attributeText(name, value, facts);
    if (text !== undefined) attributes[name] = text;
  }
  return attributes;
}

function attributeText(name: string, value: unknown, { task }: Facts): string | undefined {
  if (task !== undefined) {
    if (name === "output" || name === "schema") return task.outputKey;
    if (name === "agent") return agentIds(task).join(" ");
    if (name === "deps") return stableJson(Object.keys(value as object));
  }
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value) || isPlainObject(value)) return stableJson(value);
  return undefined;
}
