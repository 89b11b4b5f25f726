import type { TaskDescriptor } from "../model/task.js";

/** Somebody is asked before the task starts, or the answer is all that there is to it. */
export function asksFirst(task: TaskDescriptor): boolean {
  return task.needsApproval || task.kind === "approval" || task.kind === "human";
}
