import { writtenId } from "../../model/address.js";
import type { FrameSnapshot } from "../../graph/frame-snapshot.js";
import { applyDelta } from "../../graph/frame-delta.js";
import { hasFrameLabel, type NodeRow } from "../../model/node.js";
import type { XmlNode } from "../../model/xml.js";
import type { Store } from "../../store/index.js";
import { requireRun } from "../request/require-run.js";

/**
 * Nodes of a run in the order of its last frame, each with its iterations; those
 * that have left the tree come last.
 * @throws RUN_NOT_FOUND
 */
export async function listNodesInOrder(store: Store, runId: string): Promise<NodeRow[]> {
  return nodesOfFrame(store, runId, await newestFrame(store, runId));
}

/** The same for who has the newest frame at hand. */
export async function nodesOfFrame(
  store: Store,
  runId: string,
  { tasks, xml }: Pick<FrameSnapshot, "tasks" | "xml">,
): Promise<NodeRow[]> {
  // The store has sorted them by id and iteration, and sorting keeps the order of equals.
  return withLabels((await store.listNodes(runId)).sort(orderOf(tasks)), xml);
}

/** The nodes with the labels that the tree shows them with. */
export function withLabels(nodes: NodeRow[], xml: XmlNode | null): NodeRow[] {
  if (!nodes.some(hasFrameLabel)) return nodes;
  const labels = labelsOf(xml);
  return nodes.map((node) => labelled(node, labels));
}

/** Compares nodes of a run, as `listNodesInOrder` lists them. @throws RUN_NOT_FOUND */
export async function nodeOrder(store: Store, runId: string): Promise<ByNode> {
  return orderOf((await newestFrame(store, runId)).tasks);
}

type ByNode = (a: Pick<NodeRow, "nodeId">, b: Pick<NodeRow, "nodeId">) => number;

function orderOf(tasks: readonly { nodeId: string }[]): ByNode {
  const positions = new Map<string, number>();
  for (const { nodeId } of tasks) {
    const id = writtenId(nodeId);
    if (!positions.has(id)) positions.set(id, positions.size);
  }
  const positionOf = (nodeId: string) => positions.get(writtenId(nodeId)) ?? positions.size;
  return (a, b) => positionOf(a.nodeId) - positionOf(b.nodeId);
}

/** The node with the label that it is shown with. @throws RUN_NOT_FOUND */
export async function withFrameLabel(store: Store, runId: string, node: NodeRow): Promise<NodeRow> {
  if (!hasFrameLabel(node)) return node;
  return labelled(node, labelsOf((await newestFrame(store, runId)).xml));
}

/** Empty for a run that has none yet. @throws RUN_NOT_FOUND */
export async function newestFrame(
  store: Store,
  runId: string,
): Promise<Pick<FrameSnapshot, "tasks" | "xml">> {
  const { frameNo } = await requireRun(store, runId);
  const chain = await store.snapshotChain(runId, frameNo);
  return chain === undefined ? { tasks: [], xml: null } : applyDelta(chain);
}

function labelled(node: NodeRow, labels: ReadonlyMap<string, string | null>): NodeRow {
  const label = hasFrameLabel(node) ? labels.get(node.nodeId) : undefined;
  return label === undefined ? node : { ...node, label };
}

/** Of the mounted elements that do work, by node id; null = it has none. */
function labelsOf(xml: XmlNode | null): Map<string, string | null> {
  const labels = new Map<string, string | null>();
  const visit = (node: XmlNode): void => {
    if (node.kind === "text") return;
    const { id, label = null } = node.props;
    const isTask = node.tag === "Task" || node.tag === "SubflowResult";
    if (isTask && id !== undefined) labels.set(id, label);
    for (const child of node.children) visit(child);
  };
  if (xml !== null) visit(xml);
  return labels;
}
