import { taskKey } from "../../model/address.js";
import type { TaskDescriptor } from "../../model/task.js";
import { isWaitKind } from "../../model/wait-kind.js";
import type { SchedulerView } from "../../scheduler/index.js";

/**
 * Whether no budget refuses the task:
 *
 * X1  A wait: it spends nothing, and what people have decided or sent must not be lost.
 * X2  A compensation, whatever it spends: work is undone, or it was not worth beginning.
 * X3  What stands in `catch` or `finally` and calls no agent.
 * X4  The bookkeeping of a composite, once one of the tasks that it counts has a row.
 */
export function isExempt(task: TaskDescriptor, { nodes }: Pick<SchedulerView, "nodes">): boolean {
  if (isWaitKind(task.kind)) return true;
  switch (task.budgetRole) {
    case undefined:
      return false;
    case "undo":
      return true;
    case "handling":
      return task.kind !== "agent" && task.kind !== "subflow";
    case "bookkeeping": {
      const { iteration } = task;
      const counted = Object.values(task.needs ?? {});
      const hasRow = (nodeId: string) => nodes.get(taskKey({ nodeId, iteration }))?.row.state === "finished";
      return counted.length === 0 || counted.some(hasRow);
    }
    default:
      return task.budgetRole satisfies never;
  }
}
