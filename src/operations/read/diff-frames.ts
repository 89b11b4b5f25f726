import type { FrameTask } from "../../model/graph.js";
import { sameData } from "../../util/same-data.js";
import { taskKey } from "../../model/address.js";
import type { OperationTarget } from "../request/target.js";
import { sentFrame } from "./read-run.js";

export interface FrameDiffRequest {
  runId: string;
  fromFrameNo: number;
  toFrameNo: number;
}

/** Differences between two frames. */
export interface FrameDiff extends FrameDiffRequest {
  /** Tasks of the second frame that the first does not have. */
  added: FrameTask[];
  /** Tasks of the first frame that the second does not have. */
  removed: FrameTask[];
  /** Tasks of both that are not the same in them. */
  changed: { before: FrameTask; after: FrameTask }[];
  /** Whether the rendered trees differ, tasks or not. */
  isTreeChanged: boolean;
}

/** Compares two stored frames of a run. @throws INVALID_INPUT, RUN_NOT_FOUND, SNAPSHOT_NOT_FOUND, PAYLOAD_TOO_LARGE */
export async function diffFrames(target: OperationTarget, request: FrameDiffRequest): Promise<FrameDiff> {
  const { runId, fromFrameNo, toFrameNo } = request;
  const from = await sentFrame(target, runId, fromFrameNo);
  const to = await sentFrame(target, runId, toFrameNo);
  const before = byKey(from.tasks);
  const after = byKey(to.tasks);
  const changed: FrameDiff["changed"] = [];
  for (const [key, task] of before) {
    const now = after.get(key);
    if (now !== undefined && !sameData(task, now)) changed.push({ before: task, after: now });
  }
  return {
    ...request,
    added: to.tasks.filter((task) => !before.has(taskKey(task))),
    removed: from.tasks.filter((task) => !after.has(taskKey(task))),
    changed,
    isTreeChanged: !sameData(from.xml, to.xml),
  };
}

function byKey(tasks: readonly FrameTask[]): Map<string, FrameTask> {
  return new Map(tasks.map((task) => [taskKey(task), task]));
}
