import { rowOf } from "../attempt/outcome-row.js";
import { isDoneNode } from "../../model/node.js";
import type { ScheduledNode, SchedulerEvent } from "../../scheduler/index.js";
import type { UsageRow } from "../../store/index.js";
import { advance } from "./advance.js";
import { judgedByBudget } from "../budgets/judge-outcome.js";
import { recordDelivery } from "../alerts/record-delivery.js";
import type { CommitBuilder } from "./commit.js";
import { takeIntent } from "../inbox/given-rows.js";
import { isNews } from "../inbox/seen-intents.js";
import { takeUpdates } from "../reload/take-updates.js";
import type { AttemptOutcome } from "../ports.js";
import { takeScore } from "../scores/record-score.js";
import { sampleScores } from "../scores/sample-scores.js";
import type { Message, RunSession } from "../session/session.js";

type CompletedMessage = Extract<Message, { type: "completed" }>;

/** Signs of life of one attempt that bring no checkpoint are written at most this often, milliseconds. */
const HEARTBEAT_WRITE_MS = 500;

/** Applies what arrived to the turn. */
export function takeMessage(session: RunSession, commit: CommitBuilder, message: Message): void {
  switch (message.type) {
    case "completed":
      return takeOutcome(session, commit, message);
    case "heartbeat":
      return takeHeartbeat(session, commit, message);
    case "placed": {
      const isOpen = session.state.nodes.get(message.key)?.attempt?.no === message.attempt;
      if (isOpen) commit.patchAttempt(message.key, message.at);
      return;
    }
    case "attempt-event":
    case "event":
      commit.event(message.body);
      return;
    case "effect":
      commit.keepEffect(message.effect);
      return;
    case "keep":
      commit.waiting.push(message.onKept);
      return;
    case "asked":
      commit.questions.push(message.question);
      return;
    case "taken":
      commit.takenReports.set(message.taken.dispatchId, message.taken);
      return;
    case "scheduler":
      return takeEvent(session, commit, message.event);
    case "delivered":
      return takeDelivery(session, commit, message);
    case "scored":
      return takeScore(session, commit, message);
    case "scorer-usage": {
      const usage = { ...message.usage, callNo: session.budgets.callsOf(message.usage) };
      session.budgets.addUsage(usage);
      return recordUsage(commit, usage);
    }
    case "code":
      return takeUpdates(session, commit);
    case "stop":
    case "fenced":
      // The loop handles these before the turn.
      return;
    default:
      message satisfies never;
  }
}

/** An inbox row may have been taken up since it was put into the mailbox. */
function takeEvent(session: RunSession, commit: CommitBuilder, event: SchedulerEvent): void {
  if (event.type !== "intent") return advance(session, commit, event);
  const { intent } = event;
  if (intent.id >= 0 && !isNews(session, commit, intent.id)) return;
  takeIntent(session, commit, intent);
}

function takeDelivery(
  session: RunSession,
  commit: CommitBuilder,
  { fired, outcome }: Extract<Message, { type: "delivered" }>,
): void {
  session.deliveries.delete(fired.id);
  recordDelivery(commit, fired, outcome);
}

function takeOutcome(session: RunSession, commit: CommitBuilder, message: CompletedMessage): void {
  const { key, attempt } = message;
  const node = session.state.nodes.get(key);
  if (node?.attempt?.no !== attempt) return;
  const outcome = concernsBudgets(session, message)
    ? judgedByBudget(session, commit, message)
    : message.outcome;
  session.handles.delete(key);
  applyOutcome(session, commit, { node, attempt, outcome });
  session.lastHeartbeatWrites.delete(key);
  const { state } = node.row;
  // Nothing that has ended well begins again in this session: a long run would keep every checkpoint.
  if (isDoneNode(state)) session.heartbeats.delete(key);
}

/** Whether it has spent something that a budget counts, or stands in Aspects: most tasks do neither. */
function concernsBudgets(
  { ledger, state }: RunSession,
  { key, outcome: { record } }: CompletedMessage,
): boolean {
  if (record.usage !== undefined || record.meta?.childTokens !== undefined) return true;
  const isInside = ledger.openAttempts.get(key)?.meta?.aspectIds !== undefined;
  return isInside || state.nodes.get(key)?.task?.aspectIds !== undefined;
}

function applyOutcome(
  session: RunSession,
  commit: CommitBuilder,
  about: { node: ScheduledNode; attempt: number; outcome: AttemptOutcome },
): void {
  const { node, attempt, outcome } = about;
  const { key } = node;
  const { record } = outcome;
  if (record.meta !== undefined) commit.patchAttempt(key, { meta: record.meta });
  for (const usage of record.usage ?? []) recordUsage(commit, usage);
  const isCurrent = node.attempt?.aborting === null;
  switch (outcome.kind) {
    case "finished": {
      const { runId, services } = session;
      const row = isCurrent ? rowOf(outcome, { store: services.store, runId, task: node.row }) : undefined;
      if (isCurrent && outcome.columns !== undefined && row !== undefined) {
        const { outputKey } = node.row;
        commit.outputs.push({
          outputKey,
          nodeId: node.row.nodeId,
          iteration: node.row.iteration,
          columns: outcome.columns,
        });
        session.outputs.set(outputKey, row);
        session.readsChanged ||= session.view.reads.covers(outputKey, node.row.nodeId);
      }
      if (isCurrent && record.cacheWrite !== undefined) commit.cache.push(record.cacheWrite);
      if (isCurrent && record.memory !== undefined) commit.remember(record.memory);
      if (isCurrent) sampleScores(session, commit, { key, attempt, task: node.task, outcome, row });
      if (outcome.cached) commit.patchAttempt(key, { cached: true });
      return advance(session, commit, { type: "attempt-finished", key, attempt, cached: outcome.cached });
    }
    case "failed":
      return advance(session, commit, {
        type: "attempt-failed",
        key,
        attempt,
        error: outcome.error,
        ...(outcome.quotaResetAtMs !== undefined && { quotaResetAtMs: outcome.quotaResetAtMs }),
      });
    case "skipped":
      return advance(session, commit, {
        type: "attempt-skipped",
        key,
        attempt,
        reason: outcome.reason,
        ...(outcome.overBudget !== undefined && { overBudget: outcome.overBudget }),
      });
    case "lost": {
      const { reason, isSuspect } = outcome;
      return advance(session, commit, { type: "attempt-lost", key, attempt, reason, isSuspect });
    }
    case "passed-on":
      return advance(session, commit, { type: "attempt-passed-on", key, attempt, to: outcome.to });
    case "suspended":
      return advance(session, commit, {
        type: "attempt-suspended",
        key,
        attempt,
        status: outcome.status,
        reason: outcome.reason,
      });
    default:
      outcome satisfies never;
  }
}

/** Records the cost of a model call. */
export function recordUsage(commit: CommitBuilder, usage: UsageRow): void {
  commit.usage.push(usage);
  commit.event({
    type: "TokenUsageReported",
    nodeId: usage.nodeId,
    iteration: usage.iteration,
    attempt: usage.attempt,
    model: usage.model ?? "unknown",
    agent: usage.agentId,
    ...(usage.scorerId !== undefined && { scorerId: usage.scorerId }),
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    ...(usage.cacheReadTokens !== undefined && { cacheReadTokens: usage.cacheReadTokens }),
    ...(usage.cacheWriteTokens !== undefined && { cacheWriteTokens: usage.cacheWriteTokens }),
    ...(usage.reasoningTokens !== undefined && { reasoningTokens: usage.reasoningTokens }),
  });
}

function takeHeartbeat(
  session: RunSession,
  commit: CommitBuilder,
  message: Extract<Message, { type: "heartbeat" }>,
): void {
  const { key, attempt, json } = message;
  const node = session.state.nodes.get(key);
  if (node?.attempt?.no !== attempt) return;
  advance(session, commit, { type: "heartbeat", key, attempt });
  const last = session.lastHeartbeatWrites.get(key) ?? 0;
  if (json === undefined && commit.now - last < HEARTBEAT_WRITE_MS) return;
  session.lastHeartbeatWrites.set(key, commit.now);
  if (json !== undefined) session.heartbeats.set(key, json);
  commit.patchAttempt(key, {
    heartbeatAtMs: commit.now,
    ...(json !== undefined && { heartbeatJson: json }),
  });
  commit.event({
    type: "TaskHeartbeat",
    nodeId: node.row.nodeId,
    iteration: node.row.iteration,
    attempt,
    hasData: json !== undefined,
    dataSizeBytes: json === undefined ? 0 : Buffer.byteLength(json),
  });
}
