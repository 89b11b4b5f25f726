import type { TaskDescriptor } from "../../model/task.js";
import type { HostElement } from "../../model/host-node.js";
import { isQueueName, QUEUE_NAME_RULE } from "../../model/queue-name.js";
import type { Site } from "../element-rule.js";
import { invalid, readText } from "../props.js";

/** `queue` of a task or a workflow. @throws INVALID_INPUT for what is no name of a queue */
export function readQueue(element: HostElement): string | undefined {
  const queue = readText(element, "queue");
  if (queue !== undefined && !isQueueName(queue)) throw invalid(element, "queue", QUEUE_NAME_RULE);
  return queue;
}

/** Workers of the queue execute the task; that of the workflow around it is for what there is to do, not for plain rows. */
export function describeQueue({ element, around }: Site, task: TaskDescriptor): void {
  const queue = readQueue(element) ?? (task.kind === "static" ? null : around.queue);
  if (queue !== null) task.queue = queue;
}
