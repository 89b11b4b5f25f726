import type { TaskDescriptor } from "../../model/task.js";
import type { HostElement } from "../../model/host-node.js";
import type { Site } from "../element-rule.js";
import { invalid, readText } from "../props.js";

/** Letters, digits and a few signs: queues are named on command lines, and in the database beside other words. */
const QUEUE = /^[\w.-]{1,40}$/;

/** `queue` of a task or a workflow. @throws INVALID_INPUT for what is no name of a queue */
export function readQueue(element: HostElement): string | undefined {
  const queue = readText(element, "queue");
  if (queue !== undefined && !QUEUE.test(queue))
    throw invalid(element, "queue", "the name of a queue: up to 40 letters, digits or . _ -");
  return queue;
}

/** Workers of the queue execute the task; that of the workflow around it is for what there is to do, not for plain rows. */
export function describeQueue({ element, around }: Site, task: TaskDescriptor): void {
  const queue = readQueue(element) ?? (task.kind === "static" ? null : around.queue);
  if (queue !== null) task.queue = queue;
}
