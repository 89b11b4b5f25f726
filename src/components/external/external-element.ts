import { shorten } from "../../util/bounded-text.js";
import type { WorkflowElement } from "../../util/element.js";
import { jsx } from "../../../jsx-runtime/jsx-runtime.js";
import { ServiceError } from "../../errors/service-error.js";
import type { AgentInput } from "../../model/agent.js";
import { HOST_TAGS, type HostTag } from "../../model/host-node.js";
import { checkDepth } from "../../model/tree-depth.js";
import { Loop } from "../structure/Loop.js";

/** A workflow element as data, such as another process prints it. */
export interface ExternalNode {
  /** Marks the value as an element, whatever else it may look like. @default recognized by its fields */
  kind?: "element";
  /** `Task`, `merge-queue` …: case and hyphens do not matter. Other lower-case names are prompt markup. */
  tag?: string;
  /** Other name of `tag`. */
  type?: string;
  /** As of the component in TSX; agents, outputs and other functions of them by their names. */
  props?: Readonly<Record<string, unknown>>;
  /** Elements, text, or the row of a task. */
  children?: ExternalChild | readonly ExternalChild[];
}

/** Text as a node, as in the XML of frames. */
export interface ExternalText {
  /** Tells it from an element. */
  kind: "text";
  /** The content between the tags. */
  text: string;
}

export type ExternalChild =
  | ExternalNode
  | ExternalText
  | Readonly<Record<string, unknown>>
  | string
  | number
  | boolean
  | null;

/** Names that the parts of composite elements go by outside. */
const ALIASES: Readonly<Record<string, HostTag>> = {
  ralph: "Loop",
  try: "TryPart",
  catch: "CatchPart",
  finally: "FinallyPart",
  action: "SagaAction",
  compensation: "SagaCompensation",
};

const TAGS: ReadonlyMap<string, HostTag> = new Map([
  ...HOST_TAGS.map((tag) => [tag.toLowerCase(), tag] as const),
  ...Object.entries(ALIASES),
]);

/**
 * The React element of a tree that comes from outside, so that it is rendered,
 * checked and diffed as any other one. Agents are named: `agent`,
 * `fallbackAgent` and lists of them are looked up in `agents`.
 *
 * @throws EXTERNAL_BUILD_FAILED when the tree is not made of elements
 * or names an agent that does not exist, TREE_TOO_DEEP
 */
export function externalElement(
  node: ExternalNode,
  agents: Readonly<Record<string, AgentInput>> = {},
): WorkflowElement {
  return toElement(node, { agents, depth: 1 });
}

interface Place {
  agents: Readonly<Record<string, AgentInput>>;
  /** How many elements there are from the root down to this one. */
  depth: number;
}

function toElement(node: ExternalNode, place: Place): WorkflowElement {
  const { agents } = place;
  const name = node?.tag ?? node?.type;
  if (typeof name !== "string" || name === "") {
    throw new ServiceError(
      "EXTERNAL_BUILD_FAILED",
      `An element of the built tree has no tag: ${excerpt(node)}.`,
    );
  }
  const props: Record<string, unknown> = { ...node.props };
  checkDepth(place.depth, { tag: name, props });
  for (const prop of ["agent", "fallbackAgent"]) {
    if (props[prop] !== undefined) props[prop] = lookUp(props[prop], agents, name);
  }
  const children = contentOf(node.children ?? (props["children"] as ExternalNode["children"]), {
    agents,
    depth: place.depth + 1,
  });
  if (children === undefined) delete props["children"];
  else props["children"] = children;
  const key = props["key"] ?? props["id"];
  return jsx(typeOf(name), props, key === undefined ? undefined : String(key));
}

/** Loops follow their iteration by a component, everything else is its element. */
function typeOf(name: string): unknown {
  const tag = TAGS.get(name.replaceAll(/[-_]/g, "").toLowerCase());
  return tag === "Loop" ? Loop : (tag ?? name);
}

/** The content between the tags: elements where there are any, else the text or row as it is. */
function contentOf(children: ExternalNode["children"], place: Place): unknown {
  let content = children;
  while (Array.isArray(content) && content.length <= 1) content = (content as readonly ExternalChild[])[0];
  if (!Array.isArray(content)) return childOf(content, place);
  return content.map((child: ExternalChild) => childOf(child, place));
}

function childOf(child: unknown, place: Place): unknown {
  if (isElement(child)) return toElement(child, place);
  return isText(child) ? child.text : child;
}

/** Nothing else has these two fields: a row of the same shape would be taken for a text. */
function isText(child: unknown): child is ExternalText {
  if (typeof child !== "object" || child === null) return false;
  const { kind, text } = child as Partial<ExternalText>;
  return kind === "text" && typeof text === "string" && Object.keys(child).length === 2;
}

const ELEMENT_FIELDS: ReadonlySet<string> = new Set(["kind", "tag", "type", "props", "children"]);

/** A row may have a field `type`, but hardly nothing else than the fields of an element. */
function isElement(child: unknown): child is ExternalNode {
  if (typeof child !== "object" || child === null || Array.isArray(child)) return false;
  const { kind, tag, type } = child as ExternalNode;
  const names = Object.keys(child);
  if (!names.every((name) => ELEMENT_FIELDS.has(name))) return false;
  if (kind !== undefined && kind !== "element") return false;
  return typeof tag === "string" || (typeof type === "string" && names.length > 1);
}

function lookUp(value: unknown, agents: Readonly<Record<string, AgentInput>>, tag: string): unknown {
  if (Array.isArray(value)) return value.map((item) => lookUp(item, agents, tag));
  if (typeof value !== "string") return value;
  if (Object.hasOwn(agents, value)) return agents[value];
  throw new ServiceError(
    "EXTERNAL_BUILD_FAILED",
    `A ${tag} of the built tree names the agent ${JSON.stringify(value)}; the agents are ${Object.keys(agents).join(", ") || "none"}.`,
  );
}

function excerpt(value: unknown): string {
  return shorten(JSON.stringify(value) ?? String(value), 120);
}
