import { elementSource } from "../../../jsx-runtime/element-source.js";
import type { KnownErrorCode } from "../../errors/codes.js";
import type { SerializedError } from "../../errors/ensure-error.js";
import type { TaskKey } from "../../model/address.js";
import type { SchedulerView } from "../../scheduler/index.js";

/** A plan's error stands in its elements, not in code that a stack could name. */
const OF_PLANS: readonly (string | undefined)[] = [
  "SCHEDULER_ERROR",
  "TASK_FORK_SOURCE_NOT_FOUND",
  "TASK_FORK_SOURCE_NOT_COMPLETE",
  "TASK_FORK_CYCLE",
] satisfies KnownErrorCode[];

/** A scheduler's error with file and line of the first task that it names, where the compiler reports them. */
export function withStuckPlace(error: SerializedError, state: SchedulerView): SerializedError {
  if (!OF_PLANS.includes(error.code)) return error;
  const { stuck = {}, nodeIds = [], nodeId = nodeIds[0] ?? "" } = (error.details ?? {}) as PlanDetails;
  const [key = state.latest.get(nodeId)] = Object.keys(stuck) as TaskKey[];
  const task = key === undefined ? null : (state.nodes.get(key)?.task ?? null);
  const source = task === null ? undefined : elementSource(task);
  return source === undefined ? error : { ...error, details: { ...error.details, ...source } };
}

interface PlanDetails {
  stuck?: object;
  nodeIds?: readonly string[];
  nodeId?: string;
}
