import { taskKey } from "../model/address.js";
import type { ApprovalRow } from "../model/approval.js";
import { type HandRefusal, whyNotByHand } from "../model/by-hand.js";
import { isTerminalNode } from "../model/node.js";
import { asksFirst } from "./asks-first.js";
import { finishNode } from "./finish-node.js";
import type { Intervention } from "./intents.js";
import { openIfReached, returnResolution, skipNode } from "./nodes.js";
import { emptyGraph, type NodeRecord } from "./state.js";
import type { StepContext } from "./step-context.js";
import type { ScheduledNode, SchedulerView } from "./view.js";

type Refusal = { code: HandRefusal["code"] | "NODE_NOT_FOUND"; message: string };

/** Why what a person wants to do for a task does not count as the run stands; null when it does. */
export function whyNotTaken(
  { nodes, approvals }: Pick<SchedulerView, "nodes" | "approvals">,
  intent: Pick<Intervention, "kind" | "nodeId" | "iteration">,
): Refusal | null {
  const key = taskKey(intent);
  const node = nodes.get(key);
  if (node === undefined || (node.task === null && !isTerminalNode(node.row.state))) {
    return { code: "NODE_NOT_FOUND", message: `${intent.nodeId} is not in the tree.` };
  }
  return whyNotByHand(intent.kind, {
    ...node.row,
    isAtWork: node.attempt !== null,
    awaitsDecision: awaitsDecision(node, approvals.get(key)),
  });
}

function awaitsDecision({ task }: ScheduledNode, request: ApprovalRow | undefined): boolean {
  if (task === null || !asksFirst(task)) return false;
  return request?.mode !== "gate" || request.status !== "approved";
}

/** A person has done the work of a task, or leaves it out. The row is the engine's to keep. */
export function takeByHand(context: StepContext, intent: Intervention): void {
  const { state } = context;
  // Without a tree nothing is known of its tasks: it stays for the process that draws one.
  if (state.graph === emptyGraph) return;
  context.emit({ type: "consume", intentId: intent.id });
  const problem = intent.kind === "complete" ? intent.problem : undefined;
  const refusal = whyNotTaken(state, intent) ?? problem ?? null;
  if (refusal !== null) return refuse(context, intent, refusal);
  const node = state.nodes.get(taskKey(intent)) as NodeRecord;
  node.queued = false;
  node.readyAtMs = null;
  node.passedOn = null;
  if (intent.kind === "complete") complete(context, node, intent);
  else skip(context, node, intent);
}

function complete(context: StepContext, node: NodeRecord, { by, note }: Intervention): void {
  const { nodeId, iteration } = node.row;
  // As when an attempt begins: where the row goes is settled now.
  if (node.task !== null) node.row.outputKey = node.task.outputKey;
  returnResolution(context, node);
  context.event({
    type: "NodeCompletedByHand",
    nodeId,
    iteration,
    ...(by !== undefined && { completedBy: by }),
    ...(note !== undefined && { note }),
  });
  finishNode(context, node, { cached: false });
}

/** As with `skipIf`, what depends on it continues without its row. */
function skip(context: StepContext, node: NodeRecord, { by, note }: Intervention): void {
  skipNode(context, node, { reason: note === undefined ? "by hand" : `by hand: ${note}`, skippedBy: by });
  openIfReached(context, node);
}

/** As a decision that does not count, it is written to the log. */
function refuse(
  context: StepContext,
  { kind, nodeId, iteration, by, note }: Intervention,
  { code, message }: { code: string; message: string },
): void {
  context.event({
    type: "InterventionRefused",
    nodeId,
    iteration,
    action: kind,
    code,
    message,
    ...(by !== undefined && { by }),
    ...(note !== undefined && { note }),
  });
}
