import type { TaskDescriptor } from "../model/task.js";

/** A person is asked before the task starts, or the answer is the whole task. */
export function asksFirst(task: TaskDescriptor): boolean {
  return task.needsApproval || task.kind === "approval" || task.kind === "human";
}
