import type { FrameTask } from "../../model/graph.js";
import type { XmlElement, XmlNode } from "../../model/xml.js";
import type { DrawnFrame } from "../../graph/flowchart.js";

/** A part of the tree that is drawn as one box. */
export interface Fold {
  /** Stays the same while the tree does. */
  key: string;
  title: string;
  /** Tasks in it. */
  nodeIds: readonly string[];
}

export interface FoldedFrame {
  frame: DrawnFrame;
  /** By the id of the box that stands for it. */
  folds: ReadonlyMap<string, Fold>;
  /** Those that are drawn in full since the reader has asked for it. */
  opened: readonly Fold[];
}

export interface FoldLimits {
  /** Boxes that are drawn without being asked for. */
  unasked: number;
  /** Boxes that are drawn at all. */
  most: number;
  /** Children of one element; more are drawn in parts. */
  widest: number;
}

/** A layout of as many takes a fraction of a second. */
const LIMITS: FoldLimits = { unasked: 60, most: 180, widest: 30 };

/** Their element asks for them by their tags. */
const PARTS = new Set(["TryPart", "CatchPart", "FinallyPart", "SagaStep", "SagaAction", "SagaCompensation"]);

interface Part extends Fold {
  element: XmlElement;
  children: Part[];
  isTask: boolean;
  /** The only one of its parent, or one that its parent has to find. */
  isFixed: boolean;
  /** Some of too many children: opened only when it is asked for, so that all of them look alike. */
  isSlice: boolean;
}

/**
 * The frame with so few boxes that it can be laid out and read: outer groups are opened before inner ones, as far as the
 * limits allow, and after them those that the reader wants. Dependencies on a task in a folded group are those of the group.
 */
export function foldFrame(
  { xml, tasks }: { xml: XmlNode | null; tasks: readonly FrameTask[] },
  wanted: ReadonlySet<string>,
  limits: FoldLimits = LIMITS,
): FoldedFrame {
  if (xml?.kind !== "element") return { frame: { xml, tasks }, folds: new Map(), opened: [] };
  const mounted = new Set(tasks.map(({ nodeId }) => nodeId));
  const root = partOf(xml, "0", mounted, limits.widest);
  const open = openParts(root, wanted, limits);
  const folds = new Map<string, Fold>();
  const boxOf = new Map<string, string>();
  const draw = (part: Part): XmlElement => {
    const { element, children, key, title, nodeIds } = part;
    if (part.isTask || nodeIds.length === 0) return element;
    if (open.has(part)) return { ...element, children: children.map(draw) };
    const id = `folded ${key}`;
    folds.set(id, { key, title, nodeIds });
    for (const nodeId of nodeIds) boxOf.set(nodeId, id);
    return { kind: "element", tag: "Subflow", props: { id, label: title }, children: [] };
  };
  const drawn = draw(root);
  return {
    frame: { xml: drawn, tasks: liftDependencies(tasks, boxOf) },
    folds,
    opened: [...open].filter(({ key }) => wanted.has(key)),
  };
}

function partOf(element: XmlElement, key: string, mounted: ReadonlySet<string>, widest: number): Part {
  const { id } = element.props;
  if (id !== undefined && mounted.has(id)) {
    return {
      key,
      element,
      title: id,
      nodeIds: [id],
      children: [],
      isTask: true,
      isFixed: false,
      isSlice: false,
    };
  }
  const all = element.children
    .filter((child) => child.kind === "element")
    .map((child, place) => partOf(child, `${key}/${place}`, mounted, widest));
  const children = inParts(all, element, key, widest);
  for (const child of children) child.isFixed = children.length === 1 || PARTS.has(child.element.tag);
  return {
    key,
    element,
    children,
    title: titleOf(element),
    nodeIds: children.flatMap(({ nodeIds }) => nodeIds),
    isTask: false,
    isFixed: false,
    isSlice: false,
  };
}

/** Too many children in parts of equal size, which stand to each other as the children do. */
function inParts(children: Part[], { tag }: XmlElement, key: string, widest: number): Part[] {
  if (children.length <= widest || children.some(({ element }) => PARTS.has(element.tag))) return children;
  const count = Math.min(widest, Math.ceil(children.length / widest));
  const size = Math.ceil(children.length / count);
  const isParallel = tag === "Parallel" || tag === "MergeQueue";
  return Array.from({ length: count }, (_, place) => {
    const own = children.slice(place * size, (place + 1) * size);
    const element: XmlElement = {
      kind: "element",
      tag: isParallel ? "Parallel" : "Sequence",
      props: {},
      children: [],
    };
    const partKey = `${key}+${place}`;
    return {
      key: partKey,
      element,
      title: `${own[0]?.title} … ${shortened(own.at(-1)?.title ?? "", own[0]?.title ?? "")}`,
      nodeIds: own.flatMap(({ nodeIds }) => nodeIds),
      children: inParts(own, element, partKey, widest),
      isTask: false,
      isFixed: false,
      isSlice: true,
    };
  }).filter(({ children: own }) => own.length > 0);
}

/** Breadth first, so that a deep branch does not use up what its neighbours need. */
function openParts(root: Part, wanted: ReadonlySet<string>, { unasked, most }: FoldLimits): Set<Part> {
  const open = new Set<Part>();
  const queue = [root];
  let boxes = 1;
  let asked = 0;
  for (const part of queue) {
    if (part.isTask) continue;
    const more = Math.max(0, part.children.length - 1);
    const isWanted = wanted.has(part.key);
    const fits = isWanted ? boxes + more <= most : !part.isSlice && boxes - asked + more <= unasked;
    if (part !== root && !part.isFixed && !fits) continue;
    boxes += more;
    if (isWanted) asked += more;
    open.add(part);
    queue.push(...part.children);
  }
  return open;
}

function liftDependencies(tasks: readonly FrameTask[], boxOf: ReadonlyMap<string, string>) {
  const lifted = new Map<string, Set<string>>();
  for (const { nodeId, dependsOn = [] } of tasks) {
    const own = boxOf.get(nodeId) ?? nodeId;
    const ids = lifted.get(own) ?? new Set<string>();
    lifted.set(own, ids);
    for (const id of dependsOn) ids.add(boxOf.get(id) ?? id);
  }
  return [...lifted].map(([nodeId, ids]) => ({ nodeId, dependsOn: [...ids].filter((id) => id !== nodeId) }));
}

/** Without the word that both begin with. */
function shortened(title: string, before: string): string {
  const word = `${before.split(" ", 1)[0]} `;
  return title.startsWith(word) ? title.slice(word.length) : title;
}

function titleOf({ tag, props }: XmlElement): string {
  const name = props["label"] ?? props["id"] ?? props["name"];
  return name === undefined ? tag : `${tag} ${name}`;
}
