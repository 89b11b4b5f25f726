import { taskKey } from "../model/address.js";
import { resolveNodeId } from "./resolve-node-id.js";
import { ServiceError } from "../errors/service-error.js";
import { type SerializedError, serializeError } from "../errors/ensure-error.js";
import type { TaskDescriptor } from "../model/task.js";
import { dependencyIds } from "../model/dependencies.js";
import { letsGoOn } from "./nodes.js";
import type { NodeRecord, RunFailure, SchedulerState } from "./state.js";

/** The plan cannot run when a task forks from one that waits for it itself. */
export function forkCycle(tasks: readonly TaskDescriptor[]): RunFailure | null {
  const forks = tasks.filter((task) => task.forkSource !== undefined);
  if (forks.length === 0) return null;
  const byId = new Map(tasks.map((task) => [task.nodeId, task]));
  for (const task of forks) {
    const circle = wayBack(byId, task);
    if (circle === null) continue;
    const details = { nodeId: task.nodeId, forkSource: task.forkSource, circle };
    const message = `Task ${task.nodeId} forks from a task that waits for it: ${circle.join(" ← ")}.`;
    return {
      key: taskKey(task),
      error: serializeError(new ServiceError("TASK_FORK_CYCLE", message, { details, retryable: false })),
    };
  }
  return null;
}

/** Ids from the task over its fork source back to itself; null when there is no such way. */
function wayBack(byId: ReadonlyMap<string, TaskDescriptor>, task: TaskDescriptor): string[] | null {
  const cameFrom = new Map<string, string>();
  const open: string[] = [];
  const see = (id: string, from: string) => {
    if (cameFrom.has(id)) return;
    cameFrom.set(id, from);
    open.push(id);
  };
  see(task.forkSource as string, task.nodeId);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === task.nodeId) return wayTo(cameFrom, id);
    const at = byId.get(id);
    for (const next of at === undefined ? [] : dependencyIds(at)) see(next, id);
  }
  return null;
}

function wayTo(cameFrom: ReadonlyMap<string, string>, target: string): string[] {
  const way = [target];
  for (let at = cameFrom.get(target); at !== undefined && at !== target; at = cameFrom.get(at))
    way.unshift(at);
  return [target, ...way];
}

/** Why a stuck task can never fork: its source is not there, or stands after it. Null when something else is the cause. */
export function stuckFork(state: SchedulerState, node: NodeRecord): SerializedError | null {
  const forkSource = node.task?.forkSource;
  if (forkSource === undefined) return null;
  const { nodeId } = node.row;
  const options = { details: { nodeId, forkSource }, retryable: false };
  const key = state.latest.get(forkSource);
  const source = key === undefined ? undefined : state.nodes.get(key);
  if (source === undefined) {
    const meant = resolveNodeId(state, node, forkSource);
    const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
    const message = `Task ${nodeId} forks from ${forkSource}, but no task of this run has that id${hint || "."}`;
    return serializeError(new ServiceError("TASK_FORK_SOURCE_NOT_FOUND", message, options));
  }
  if (letsGoOn(source)) return null;
  const message = `Task ${nodeId} forks from ${forkSource}, which is ${source.row.state} and will not finish before it.`;
  return serializeError(new ServiceError("TASK_FORK_SOURCE_NOT_COMPLETE", message, options));
}
