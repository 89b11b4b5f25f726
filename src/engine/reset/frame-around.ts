import { applyDelta, snapshotsOf } from "../../graph/frame-delta.js";
import { checkedSnapshot, type FrameSnapshot } from "../../graph/frame-snapshot.js";
import { planOfFrame } from "../../graph/stored-plan.js";
import type { TaskPlace } from "../../model/address.js";
import type { LoopState, PlanNode } from "../../model/plan.js";
import type { XmlElement, XmlNode } from "../../model/xml.js";
import type { RunSnapshot, Store } from "../../store/index.js";
import { roundsAround, roundsOf } from "./reach.js";
import { loopsOf, rewoundLoops } from "./rewind.js";

/**
 * The tree around a node, as the run's frames have stored it: the newest one, with the rounds of the loops around the
 * node that it stood in. Another round may have had other tasks.
 * @returns what a reset is planned with; no code of the workflow is needed for it
 */
export async function planAround(
  store: Store,
  runSnapshot: RunSnapshot,
  place: TaskPlace,
): Promise<PlanNode> {
  const { lastSnapshot } = runSnapshot;
  if (lastSnapshot.length === 0) return planOfFrame({ xml: null, tasks: [] });
  const newest = applyDelta(lastSnapshot);
  const loop = pastLoop(runSnapshot, place);
  const then =
    loop === undefined || hasTask(newest, place) ? undefined : await frameWith(store, runSnapshot, place);
  return planOfFrame(then === undefined || loop === undefined ? newest : withLoop(newest, loop.id, then));
}

/** The outermost loop around a node that has left the node's round. */
function pastLoop(runSnapshot: RunSnapshot, { nodeId, iteration }: TaskPlace): LoopState | undefined {
  const node = runSnapshot.nodes.find((row) => row.nodeId === nodeId && row.iteration === iteration);
  if (node === undefined) return undefined;
  const now = new Map(loopsOf(runSnapshot).map((control) => [control.id, control.iteration]));
  return rewoundLoops(runSnapshot, roundsOf(node))
    .filter((control) => now.get(control.id) !== control.iteration)
    .sort((a, b) => roundsAround(a.id).length - roundsAround(b.id).length)[0];
}

/** The newest frame that shows the task at its iteration. */
async function frameWith(
  store: Store,
  { run, lastSnapshot }: RunSnapshot,
  place: TaskPlace,
): Promise<FrameSnapshot | undefined> {
  for (let chain = lastSnapshot; chain.length > 0; ) {
    const shown = snapshotsOf(chain).findLast((snapshot) => hasTask(checkedSnapshot(snapshot), place));
    if (shown !== undefined) return shown;
    const { frameNo } = chain[0] as (typeof chain)[number];
    chain = (await store.snapshotChain(run.runId, frameNo - 1)) ?? [];
  }
  return undefined;
}

function hasTask({ tasks }: FrameSnapshot, { nodeId, iteration }: TaskPlace): boolean {
  return tasks.some((task) => task.nodeId === nodeId && task.iteration === iteration);
}

/** A frame with the loop as another one has it. */
function withLoop(frame: FrameSnapshot, id: string, then: FrameSnapshot): FrameSnapshot {
  const loop = then.xml === null ? undefined : findLoop(then.xml, id);
  if (loop === undefined || frame.xml === null) return frame;
  const inside = new Set<string>();
  collectIds(loop, inside);
  const tasks = new Map(frame.tasks.map((task) => [task.nodeId, task]));
  for (const task of then.tasks) if (inside.has(task.nodeId)) tasks.set(task.nodeId, task);
  return { xml: replaceLoop(frame.xml, id, loop), tasks: [...tasks.values()] };
}

function isLoop(node: XmlElement, id: string): boolean {
  return node.tag === "Loop" && node.props["id"] === id;
}

function findLoop(node: XmlNode, id: string): XmlElement | undefined {
  if (node.kind === "text") return undefined;
  if (isLoop(node, id)) return node;
  for (const child of node.children) {
    const found = findLoop(child, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function replaceLoop(node: XmlNode, id: string, loop: XmlElement): XmlNode {
  if (node.kind === "text") return node;
  if (isLoop(node, id)) return loop;
  return { ...node, children: node.children.map((child) => replaceLoop(child, id, loop)) };
}

function collectIds(node: XmlNode, into: Set<string>): void {
  if (node.kind === "text") return;
  if (node.props["id"] !== undefined) into.add(node.props["id"]);
  for (const child of node.children) collectIds(child, into);
}
