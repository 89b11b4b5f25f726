import { elementSource } from "../../../jsx-runtime/element-source.js";
import type { SerializedError } from "../../errors/ensure-error.js";
import type { TaskKey } from "../../model/address.js";
import type { SchedulerView } from "../../scheduler/view.js";

/** A scheduler's error with file and line of the first task that it names, where the compiler has told them. */
export function withStuckPlace(error: SerializedError, state: SchedulerView): SerializedError {
  if (error.code !== "SCHEDULER_ERROR") return error;
  const { stuck = {}, nodeIds = [] } = (error.details ?? {}) as { stuck?: object; nodeIds?: string[] };
  const [key = state.latest.get(nodeIds[0] ?? "")] = Object.keys(stuck) as TaskKey[];
  const task = key === undefined ? null : (state.nodes.get(key)?.task ?? null);
  const source = task === null ? undefined : elementSource(task);
  return source === undefined ? error : { ...error, details: { ...error.details, ...source } };
}
