import { taskKey } from "../model/address.js";
import { endWaiting } from "./nodes.js";
import { enqueue } from "./ready.js";
import type { NodeRecord } from "./state.js";
import type { StepContext } from "./step-context.js";

/** A person is at the session of this task's agent: the only reason for an agent task to wait for an event. */
export function isHijacked(node: NodeRecord): boolean {
  return node.row.state === "waiting-event" && node.task?.kind === "agent";
}

/** Asks the attempt in progress for its session. The attempt reports the result itself. */
export function hijack(context: StepContext, at: { nodeId: string; iteration: number }): void {
  const { nodeId, iteration } = at;
  const node = context.state.nodes.get(taskKey({ nodeId, iteration }));
  context.event({ type: "RunHijackRequested", target: taskKey({ nodeId, iteration }) });
  if (node?.task?.kind === "agent" && node.attempt !== null && node.attempt.aborting === null) {
    return context.emit({ type: "hand-over", key: node.key, attempt: node.attempt.no });
  }
  const reason =
    node?.task?.kind === "agent" ? `the task is ${node.row.state}` : "it is not a task of an agent";
  context.event({ type: "RunHijackRefused", nodeId, iteration, attempt: node?.row.lastAttempt ?? 0, reason });
}

/** The session is the agent's again: the task runs on with it. */
export function giveBack(
  context: StepContext,
  { nodeId, iteration }: { nodeId: string; iteration: number },
): void {
  const node = context.state.nodes.get(taskKey({ nodeId, iteration }));
  if (node === undefined || !isHijacked(node)) return;
  node.row.state = "pending";
  endWaiting(node);
  context.changed(node);
  context.event({ type: "RunHijackReleased", nodeId, iteration });
  enqueue(context, node);
}
