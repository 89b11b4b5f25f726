import { ServiceError } from "../../errors/service-error.js";
import { type TaskPlace, taskKey } from "../../model/address.js";
import type { RenderedFrame } from "../../model/graph.js";
import { isDoneNode } from "../../model/node.js";
import type { TaskDescriptor } from "../../model/task.js";
import type { ScheduledNode, SchedulerView } from "../../scheduler/index.js";

type Nodes = SchedulerView["nodes"];

/**
 * A frame in which a composite would pay for a member that does not count, or that counts twice:
 *
 * M1  Its tally has begun, and one of those that it counts has not.
 * M2  A member that is known by its place in a list has begun, and its agent has another place now.
 *
 * @throws WORKFLOW_RENDER_FAILED
 */
export function refuseLateMembers({ nodes, cancelling }: SchedulerView, { tasks }: RenderedFrame): void {
  if (cancelling !== null) return;
  for (const task of tasks) {
    if (task.tally === undefined || task.skipIf) continue;
    const state = nodes.get(taskKey(task))?.row.state;
    if (state === "in-progress" || state === "finished") refuseUncounted(nodes, task, tasks);
    else refuseMoved(nodes, task, tasks);
  }
}

function refuseUncounted(nodes: Nodes, tally: TaskDescriptor, tasks: readonly TaskDescriptor[]): void {
  const counted = new Set(Object.values(tally.needs ?? {}));
  const late = membersAmong(tasks, tally, counted).filter(
    (member) => !member.skipIf && !hasBegun(nodes.get(taskKey(member))),
  );
  if (late.length === 0) return;
  const ids = late.map(({ nodeId }) => nodeId);
  throw new ServiceError(
    "WORKFLOW_RENDER_FAILED",
    `${ids.join(", ")} came into the tree after ${tally.nodeId} had counted: the work would be paid and not count. Make the list of rows that are there before its first member begins, or reset ${tally.nodeId} (retry-task) to count again.`,
    { details: { nodeId: tally.nodeId, members: ids } },
  );
}

function refuseMoved(nodes: Nodes, tally: TaskDescriptor, tasks: readonly TaskDescriptor[]): void {
  const { byPlace = [] } = tally.tally ?? {};
  // Of the frame before: who has left may have moved the others.
  const before = nodes.get(taskKey(tally))?.task?.tally?.byPlace ?? [];
  if (byPlace.length === 0) return;
  const now = membersAmong(tasks, tally, new Set(byPlace));
  const recordOf = ({ nodeId }: Pick<TaskPlace, "nodeId">) =>
    nodes.get(taskKey({ nodeId, iteration: tally.iteration }));
  for (const nodeId of new Set([...byPlace, ...before])) {
    const record = recordOf({ nodeId });
    if (record === undefined || !hasBegun(record)) continue;
    const { fingerprint } = record.row;
    if (now.some((member) => member.nodeId === nodeId && member.fingerprint === fingerprint)) continue;
    const moved = now.find(
      (member) =>
        member.nodeId !== nodeId &&
        member.fingerprint === fingerprint &&
        recordOf(member)?.row.fingerprint !== fingerprint,
    );
    if (moved === undefined) continue;
    throw new ServiceError(
      "WORKFLOW_RENDER_FAILED",
      `${nodeId} has begun, and its agent is ${moved.nodeId} now: one agent would count twice, or for another. Give a member of a list that changes a name of its own, such as a label, or add to the end of the list.`,
      { details: { nodeId: tally.nodeId, members: [nodeId, moved.nodeId] } },
    );
  }
}

function membersAmong(
  tasks: readonly TaskDescriptor[],
  { iteration }: TaskDescriptor,
  ids: ReadonlySet<string>,
): TaskDescriptor[] {
  return tasks.filter((task) => task.iteration === iteration && ids.has(task.nodeId));
}

/** Also what has been reset: it was counted, and its author wants it anew. */
function hasBegun(record: ScheduledNode | undefined): boolean {
  if (record === undefined) return false;
  const { lastAttempt, state } = record.row;
  return lastAttempt > 0 || isDoneNode(state) || state === "failed";
}
