import { type TaskKey, taskKey } from "../../model/address.js";
import { ServiceError } from "../../errors/service-error.js";
import type { EventBody } from "../../model/events.js";
import type { TaskDescriptor } from "../../model/task.js";
import { isWaitKind } from "../../model/wait-kind.js";
import type { SchedulerView } from "../../scheduler/index.js";
import { keptError } from "../attempt/without-secrets.js";
import type { AttemptOutcome } from "../ports.js";
import type { RunSession } from "../session/session.js";
import type { CommitBuilder } from "../turn/commit.js";
import { judgeAttempt, judgeStart } from "./judge-task.js";

/** The outcome of an attempt that a used-up budget does not let start; null when it may. */
export function refusedByBudget(session: RunSession, key: TaskKey): AttemptOutcome | null {
  const { frame, budgets, mailbox, state } = session;
  const { task, row } = state.nodes.get(key) ?? {};
  if (task?.aspectIds === undefined || frame === null || isExempt(task, state)) return null;
  // A child run that has begun continues: people may have answered it. Only a retry is a new start.
  if (budgets.hasChild(key) && row?.failures === 0) return null;
  const verdict = judgeStart(budgets, task, frame.aspects);
  if (verdict.kind === "ok") return null;
  for (const body of verdict.events) mailbox.post({ type: "event", body });
  if (verdict.kind === "warn") return null;
  const error = keptError(verdict.error, session.config);
  if (verdict.kind === "fail") return { kind: "failed", error, record: {} };
  const { reason, aspectId } = verdict;
  return { kind: "skipped", reason, overBudget: { aspectId, error }, record: {} };
}

/** Adds what an attempt has spent to its budgets. The outcome is as `perTask` limits leave it. */
export function judgedByBudget(
  session: RunSession,
  commit: CommitBuilder,
  { key, outcome }: { key: TaskKey; outcome: AttemptOutcome },
): AttemptOutcome {
  const { frame, state } = session;
  spend(session, commit, { key, outcome });
  const task = state.nodes.get(key)?.task;
  if (task?.aspectIds === undefined || frame === null) return outcome;
  if (outcome.kind !== "finished" && !isOwnFailure(outcome)) return outcome;
  const verdict = judgeAttempt(session.budgets, task, frame.aspects);
  if (verdict.kind === "ok") return outcome;
  const isTold = isExempt(task, state);
  for (const body of verdict.events) commit.event(isTold ? asWarning(body) : body);
  if (verdict.kind !== "fail" || isTold) return outcome;
  const { code, summary, details } = verdict.error;
  const options = { retryable: false, ...(details !== undefined && { details }) };
  const error = keptError(new ServiceError(code, summary, options), session.config);
  if (outcome.kind !== "failed") return { kind: "failed", error, record: outcome.record };
  const { error: cause, record } = outcome;
  return { kind: "failed", error: { ...error, ...(cause.frame && { frame: cause.frame }), cause }, record };
}

function spend(
  { budgets, ledger }: RunSession,
  commit: CommitBuilder,
  { key, outcome: { record } }: { key: TaskKey; outcome: AttemptOutcome },
): void {
  const attempt = ledger.openAttempts.get(key);
  if (attempt === undefined) return;
  budgets.addAttempt(attempt, attempt.meta?.aspectIds);
  for (const usage of record.usage ?? []) budgets.addUsage(usage);
  if (record.meta?.childTokens !== undefined) budgets.setChildTokens(attempt, record.meta.childTokens);
  budgets.addDuration(attempt, commit.now - attempt.startedAtMs);
}

/** Of the attempt, as opposed to a budget that had not let it start. */
function isOwnFailure(outcome: AttemptOutcome): boolean {
  return outcome.kind === "failed" && outcome.error.code !== "ASPECT_BUDGET_EXCEEDED";
}

function asWarning(body: EventBody): EventBody {
  return body.type === "BudgetExceeded" ? { ...body, action: "warn" } : body;
}

/**
 * Whether no budget refuses the task:
 *
 * X1  A wait: it spends nothing, and what people have decided or sent must not be lost.
 * X2  A compensation, whatever it spends: work is undone, or it was not worth beginning.
 * X3  What stands in `catch` or `finally` and calls no agent.
 * X4  The bookkeeping of a composite, once one of the tasks that it counts has a row.
 */
function isExempt(task: TaskDescriptor, { nodes }: Pick<SchedulerView, "nodes">): boolean {
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
