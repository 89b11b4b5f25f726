import type { RunEventType } from "../model/events.js";
import type { NodeState } from "../model/node.js";
import type { SequencedEvent } from "../client/index.js";

export interface ListedNode {
  nodeId: string;
  iteration: number;
  state: NodeState;
  /** The newest; 0 before the first. */
  attempt: number;
}

/** The state that a node is in after an event of its own. */
const AFTER: Readonly<Partial<Record<RunEventType, NodeState>>> = {
  NodePending: "pending",
  NodeStarted: "in-progress",
  NodeFinished: "finished",
  NodeFailed: "failed",
  NodeRetrying: "pending",
  NodeCancelled: "cancelled",
  NodeSkipped: "skipped",
  NodeInterrupted: "pending",
  NodeWaitingApproval: "waiting-approval",
  NodeWaitingEvent: "waiting-event",
  NodeWaitingTimer: "waiting-timer",
  NodeWaitingQuota: "waiting-quota",
};

/** Nodes in the order in which they appeared, each as its newest event says. */
export function nodeStates(events: readonly SequencedEvent[]): ListedNode[] {
  const nodes = new Map<string, ListedNode>();
  for (const { event } of events) {
    const state = AFTER[event.type];
    if (state === undefined || !("nodeId" in event) || event.nodeId === undefined) continue;
    const { nodeId } = event;
    const iteration = "iteration" in event ? (event.iteration ?? 0) : 0;
    const key = JSON.stringify([nodeId, iteration]);
    const attempt = "attempt" in event ? (event.attempt ?? 0) : (nodes.get(key)?.attempt ?? 0);
    nodes.set(key, { nodeId, iteration, state, attempt });
  }
  return [...nodes.values()];
}
