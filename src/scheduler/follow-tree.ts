import { hasFrameLabel, isTerminalNode } from "../model/node.js";
import type { TaskDescriptor } from "../model/task.js";
import { sameData } from "../util/same-data.js";
import { stableJson } from "../util/stable-json.js";
import { armDue, endWaiting, withdrawApproval } from "./nodes.js";
import { askPeople } from "./questions.js";
import type { NodeRecord } from "./state.js";
import type { StepContext } from "./step-context.js";
import { approvalRequest, awaitedAs, announceAwaited } from "./waits.js";

/**
 * A node that has not ended follows the newest tree: where its row goes, what is
 * asked, of whom, and for how long. An attempt in progress keeps what it began with.
 *
 * @param before the node as the last frame of this process had it
 */
export function followTree(context: StepContext, node: NodeRecord, before: TaskDescriptor | null): void {
  const { row, task } = node;
  if (task === null || isTerminalNode(row.state)) return;
  const label = task.label ?? null;
  if (row.label !== label) {
    row.label = label;
    if (!hasFrameLabel(row)) context.emit({ type: "node", key: node.key });
  }
  if (node.attempt !== null) return;
  if (row.outputKey !== task.outputKey) {
    row.outputKey = task.outputKey;
    context.emit({ type: "node", key: node.key });
  }
  if (!row.state.startsWith("waiting-") || node.resolution !== null) return;
  if (!fitsWait(node, task)) return stopWaiting(context, node);
  refreshRequest(context, node, { task, before });
  refreshTimeout(context, node, { task, before });
  refreshEvent(context, node, task);
}

/** Whether a task of this kind may be in this wait. Agents wait for the person who took their session over. */
function fitsWait({ row }: NodeRecord, task: TaskDescriptor): boolean {
  const { kind } = task;
  if (kind === "subflow" || row.state === "waiting-quota") return true;
  if (row.state === "waiting-approval") return task.needsApproval || kind === "approval" || kind === "human";
  if (row.state === "waiting-timer") return kind === "timer";
  return kind === "event" || (kind === "agent" && row.lastAttempt > 0);
}

/** It is another kind of task now: it begins from the start. */
function stopWaiting(context: StepContext, node: NodeRecord): void {
  withdrawApproval(context, node);
  endWaiting(node);
  node.row.state = "pending";
  context.changed(node);
}

/** Refreshes the request in the inbox. It is looked at again, too, when its own rule may say something else now. */
function refreshRequest(
  context: StepContext,
  node: NodeRecord,
  { task, before }: { task: TaskDescriptor; before: TaskDescriptor | null },
): void {
  const open = context.state.approvals.get(node.key);
  if (node.row.state !== "waiting-approval" || open === undefined || open.decision !== null) return;
  if (task.kind === "subflow") return;
  const { mode, request, options, allowedScopes, allowedUsers, requestHash } = approvalRequest(
    context,
    node,
    task,
  );
  const next = { mode, request, options, allowedScopes, allowedUsers, requestHash };
  const isSame = (Object.keys(next) as (keyof typeof next)[]).every((field) =>
    isEqual(open[field], next[field]),
  );
  const isRuledAnew = !isEqual(task.approvalAutoApprove, before?.approvalAutoApprove);
  if (isSame && !isRuledAnew) return;
  // A rule may decide the same question now; another question is asked from now on.
  if (isSame) return context.emit({ type: "approval", row: open });
  askPeople(context, "ApprovalRequestChanged", { ...open, ...next, requestedAtMs: context.now });
}

/** Every frame asks it of all that wait: texts are made only of what differs in memory. */
function isEqual(a: unknown, b: unknown): boolean {
  return sameData(a, b) || stableJson(a) === stableJson(b);
}

/** Counted from when the wait began. */
function refreshTimeout(
  context: StepContext,
  node: NodeRecord,
  { task, before }: { task: TaskDescriptor; before: TaskDescriptor | null },
): void {
  const timeoutMs = waitTimeout(task);
  const { row } = node;
  if (timeoutMs === undefined || row.waitingSinceMs === null) return;
  if (before !== null && waitTimeout(before) === timeoutMs) return;
  const dueAtMs = timeoutMs === null ? null : row.waitingSinceMs + timeoutMs;
  if (dueAtMs === row.dueAtMs) return;
  row.dueAtMs = dueAtMs;
  armDue(context, node);
  context.changed(node);
}

/** Refreshes which signal ends the wait: a sender looks for the nodes that wait for it. */
function refreshEvent(
  context: StepContext,
  node: NodeRecord,
  { eventWait, outputSchema }: TaskDescriptor,
): void {
  const { row } = node;
  if (row.wait?.kind !== "event" || row.wait.timedOut === true || eventWait === undefined) return;
  const wait = awaitedAs({ wait: eventWait, schema: outputSchema });
  if (isEqual(wait, row.wait)) return;
  row.wait = wait;
  announceAwaited(context, node, { wait: eventWait, timeoutAtMs: row.dueAtMs });
  context.changed(node);
}

/** Longest wait for a person; null = for ever, undefined = the task waits for none. */
function waitTimeout({ kind, timeoutMs, eventWait }: TaskDescriptor): number | null | undefined {
  if (kind === "approval" || kind === "human") return timeoutMs;
  return kind === "event" ? (eventWait?.timeoutMs ?? null) : undefined;
}
