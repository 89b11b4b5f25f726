import { type TaskKey, taskKey } from "../../model/address.js";
import type { NodeRow } from "../../model/node.js";
import type { AttemptTimes } from "../../store/index.js";

/** A task of a run, with the time that its attempts took. */
export interface TimedNode extends NodeRow {
  /** When its first attempt began, epoch milliseconds; null before. */
  startedAtMs: number | null;
  /** How long those of its attempts that have ended were at work, together, milliseconds. */
  workedMs: number;
  /** When the attempt that is under way began, epoch milliseconds; null where none is, and once its run's process has died. */
  atWorkSinceMs: number | null;
}

type Times = Pick<TimedNode, "startedAtMs" | "workedMs" | "atWorkSinceMs">;

/**
 * @param attempts of the run, in the order in which they began
 * @param diedAtMs the last sign of life of the run's process, where that has ended: nothing was at work after it
 */
export function timedNodes(
  nodes: readonly NodeRow[],
  attempts: readonly AttemptTimes[],
  diedAtMs: number | null,
): TimedNode[] {
  const byNode = new Map<TaskKey, Times>();
  for (const { startedAtMs, finishedAtMs: endedAtMs, ...node } of attempts) {
    const finishedAtMs = endedAtMs ?? diedAtMs;
    const key = taskKey(node);
    const times = byNode.get(key) ?? { startedAtMs, workedMs: 0, atWorkSinceMs: null };
    if (finishedAtMs === null) times.atWorkSinceMs = startedAtMs;
    else times.workedMs += Math.max(0, finishedAtMs - startedAtMs);
    byNode.set(key, times);
  }
  const untried: Times = { startedAtMs: null, workedMs: 0, atWorkSinceMs: null };
  return nodes.map((node) => ({ ...node, ...(byNode.get(taskKey(node)) ?? untried) }));
}
