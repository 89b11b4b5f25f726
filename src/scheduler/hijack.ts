import { taskKey } from "../model/address.js";
import { endWaiting } from "./nodes.js";
import { enqueue } from "./ready.js";
import type { NodeRecord } from "./state.js";
import type { Move } from "./move.js";

/** A person is at the session of this task's agent: the only reason for an agent task to wait for an event. */
export function isHijacked(node: NodeRecord): boolean {
  return node.row.state === "waiting-event" && node.task?.kind === "agent";
}

/** Asks the attempt in progress for its session. What comes of it the attempt says itself. */
export function hijack(move: Move, at: { nodeId: string; iteration: number }): void {
  const { nodeId, iteration } = at;
  const node = move.state.nodes.get(taskKey({ nodeId, iteration }));
  move.event({ type: "RunHijackRequested", target: taskKey({ nodeId, iteration }) });
  if (node?.task?.kind === "agent" && node.attempt !== null && node.attempt.aborting === null) {
    return move.emit({ type: "hand-over", key: node.key, attempt: node.attempt.no });
  }
  const reason =
    node?.task?.kind === "agent" ? `the task is ${node.row.state}` : "it is not a task of an agent";
  move.event({ type: "RunHijackRefused", nodeId, iteration, attempt: node?.row.lastAttempt ?? 0, reason });
}

/** The session is the agent's again: the task runs on with it. */
export function giveBack(move: Move, { nodeId, iteration }: { nodeId: string; iteration: number }): void {
  const node = move.state.nodes.get(taskKey({ nodeId, iteration }));
  if (node === undefined || !isHijacked(node)) return;
  node.row.state = "pending";
  endWaiting(node);
  move.changed(node);
  move.event({ type: "RunHijackReleased", nodeId, iteration });
  enqueue(move, node);
}
