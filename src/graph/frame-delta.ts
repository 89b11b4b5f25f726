import { ServiceError } from "../errors/service-error.js";
import { dependencyIds } from "../model/dependencies.js";
import type { FrameCap, FrameTask, RenderedFrame } from "../model/graph.js";
import { partsOfPlan, type PlanNode } from "../model/plan.js";
import type { TaskDescriptor } from "../model/task.js";
import type { XmlNode } from "../model/xml.js";
import { sameData } from "../util/same-data.js";
import { checkedSnapshot, type FrameSnapshot } from "./frame-snapshot.js";
import { applyListDelta, diffLists, type ItemDelta, type ListDelta } from "./list-delta.js";
import { applyXmlDelta, diffElements, type XmlDelta } from "./xml-delta.js";

/** A stored snapshot: all of it, or what changed since the one before. */
export interface EncodedSnapshot {
  encoding: "keyframe" | "delta";
  /** JSON text. */
  json: string;
  /** Where it is stored, for the error about one that is damaged. */
  frameNo?: number;
}

interface FrameDelta {
  xml?: XmlDelta;
  /** Instead of `xml` when the root itself was replaced. */
  root?: XmlNode | null;
  tasks?: ListDelta<FrameTask, Partial<FrameTask>>;
}

/** `before`: the frame before with its snapshot, of which what is shared is kept. */
export function toFrameSnapshot(
  { xml, tasks, plan }: RenderedFrame,
  before?: { frame: RenderedFrame; snapshot: FrameSnapshot },
): FrameSnapshot {
  const isShared = before?.frame.tasks === tasks && before.frame.plan === plan;
  return { xml, tasks: isShared ? before.snapshot.tasks : shownTasks(tasks, plan) };
}

function shownTasks(tasks: readonly TaskDescriptor[], plan: PlanNode): FrameTask[] {
  const caps = capsOf(plan);
  return tasks.map((task) => {
    const { nodeId, iteration, kind, fingerprint } = task;
    const shown: FrameTask = { nodeId, iteration, kind, fingerprint };
    const dependsOn = [...dependencyIds(task)];
    if (dependsOn.length > 0) shown.dependsOn = dependsOn;
    const around = caps.get(task);
    if (around !== undefined) shown.caps = around;
    return shown;
  });
}

/** The tasks that stand in capped groups. */
function capsOf(plan: PlanNode): ReadonlyMap<TaskDescriptor, readonly FrameCap[]> {
  const found = new Map<TaskDescriptor, readonly FrameCap[]>();
  const visit = (node: PlanNode, around: readonly FrameCap[]): void => {
    if (node.kind === "task") {
      if (around.length > 0) found.set(node.task, around);
      return;
    }
    const isCapped = node.kind === "parallel" && node.cap !== undefined;
    const inside = isCapped ? [...around, { groupId: node.id, limit: node.cap as number }] : around;
    for (const part of partsOfPlan(node)) visit(part, inside);
  };
  visit(plan, []);
  return found;
}

export function encodeKeyframe(snapshot: FrameSnapshot): string {
  return JSON.stringify(snapshot);
}

/** JSON text of what changed; null when the snapshots are equal. */
export function encodeDelta(previous: FrameSnapshot, next: FrameSnapshot): string | null {
  const delta = diffRoots(previous.xml, next.xml);
  const tasks = diffLists(previous.tasks, next.tasks, frameTasks);
  if (tasks !== null) delta.tasks = tasks;
  const isSame = tasks === null && delta.root === undefined && delta.xml === undefined;
  return isSame ? null : JSON.stringify(delta);
}

/**
 * The snapshot that a chain leads to: a keyframe and the deltas after it, oldest first.
 *
 * @throws STORAGE_ERROR when the chain is empty, does not start with a keyframe, or holds what no encoder makes
 */
export function applyDelta(chain: readonly EncodedSnapshot[]): FrameSnapshot {
  const newest = snapshotsOf(chain).at(-1) as FrameSnapshot;
  try {
    return checkedSnapshot(newest);
  } catch (cause) {
    throw damaged(chain.at(-1) as EncodedSnapshot, cause);
  }
}

/** Every snapshot of a chain, oldest first; none of them is checked. @throws STORAGE_ERROR as applyDelta */
export function snapshotsOf(chain: readonly EncodedSnapshot[]): FrameSnapshot[] {
  if (chain[0]?.encoding !== "keyframe") {
    throw new ServiceError("STORAGE_ERROR", "A stored frame has no keyframe to start from.");
  }
  const snapshots: FrameSnapshot[] = [];
  for (const at of chain) {
    try {
      const value: unknown = JSON.parse(at.json);
      const before = snapshots.at(-1);
      const isWhole = before === undefined || at.encoding === "keyframe";
      snapshots.push(isWhole ? (value as FrameSnapshot) : change(before, value as FrameDelta));
    } catch (cause) {
      // The reader assumes well-formed rows; stored ones may be damaged.
      throw damaged(at, cause);
    }
  }
  return snapshots;
}

const frameTasks: ItemDelta<FrameTask, Partial<FrameTask>> = {
  keyOf: ({ nodeId }) => nodeId,
  sameKey: (a, b) => a.nodeId === b.nodeId,
  diff(previous, next) {
    const { iteration, kind, fingerprint } = previous;
    const isSameWait = sameList(previous.dependsOn, next.dependsOn) && sameList(previous.caps, next.caps);
    if (
      isSameWait &&
      iteration === next.iteration &&
      kind === next.kind &&
      fingerprint === next.fingerprint
    ) {
      return null;
    }
    const changed: Partial<FrameTask> = {};
    if (iteration !== next.iteration) changed.iteration = next.iteration;
    if (kind !== next.kind) changed.kind = next.kind;
    if (fingerprint !== next.fingerprint) changed.fingerprint = next.fingerprint;
    // JSON knows no `undefined`: what has gone is an empty list.
    if (!sameList(previous.dependsOn, next.dependsOn)) changed.dependsOn = next.dependsOn ?? [];
    if (!sameList(previous.caps, next.caps)) changed.caps = next.caps ?? [];
    return changed;
  },
};

function changeTask(task: FrameTask, changed: Partial<FrameTask>): FrameTask {
  const next = { ...task, ...changed };
  if (next.dependsOn?.length === 0) delete next.dependsOn;
  if (next.caps?.length === 0) delete next.caps;
  return next;
}

const NOTHING: readonly unknown[] = [];

function sameList(a: readonly unknown[] = NOTHING, b: readonly unknown[] = NOTHING): boolean {
  return a === b || sameData(a, b);
}

function diffRoots(previous: XmlNode | null, next: XmlNode | null): FrameDelta {
  if (previous === next) return {};
  if (previous?.kind !== "element" || next?.kind !== "element" || previous.tag !== next.tag) {
    return JSON.stringify(previous) === JSON.stringify(next) ? {} : { root: next };
  }
  const xml = diffElements(previous, next);
  return xml === null ? {} : { xml };
}

function change(snapshot: FrameSnapshot, delta: FrameDelta): FrameSnapshot {
  let { xml, tasks } = snapshot;
  if (delta.root !== undefined) xml = delta.root;
  else if (delta.xml !== undefined && xml !== null) xml = applyXmlDelta(xml, delta.xml);
  if (delta.tasks !== undefined) {
    tasks = applyListDelta(tasks, delta.tasks, changeTask);
  }
  return { xml, tasks };
}

function damaged({ frameNo }: EncodedSnapshot, cause: unknown): ServiceError {
  const table = "_service_frames";
  return new ServiceError(
    "STORAGE_ERROR",
    `Row ${frameNo ?? ""} in table ${table}: snapshot_json holds no picture of a frame.`,
    { cause, retryable: false, details: { table, row: String(frameNo), column: "snapshot_json" } },
  );
}
