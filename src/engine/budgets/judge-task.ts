import { taskKey } from "../../model/address.js";
import { ServiceError } from "../../errors/service-error.js";
import type { EventBody } from "../../model/events.js";
import type { AspectsSpec } from "../../model/graph.js";
import type { TaskDescriptor } from "../../model/task.js";
import type { BudgetLedger } from "./budget-ledger.js";

/** The verdict of the budgets around a task. */
export type BudgetVerdict =
  | { kind: "ok" }
  | { kind: "warn"; events: EventBody[] }
  | { kind: "fail"; error: ServiceError; events: EventBody[] }
  /** `error` is for where the task cannot be left out. */
  | { kind: "skip"; reason: string; aspectId: string; error: ServiceError; events: EventBody[] };

interface Excess {
  budget: "tokens" | "latency";
  limit: number;
  current: number;
  action: "fail" | "warn" | "skip-remaining";
}

/** Budgets of the mounted Aspects, by id. */
type Aspects = Readonly<Record<string, AspectsSpec>>;

const SEVERITY = { warn: 0, "skip-remaining": 1, fail: 2 } as const;

/** Before a task starts: is anything left of the budgets around it? */
export function judgeStart(ledger: BudgetLedger, task: TaskDescriptor, aspects: Aspects): BudgetVerdict {
  return judge(task, aspects, ({ tokenBudget, latencySlo }, aspectId) => {
    const excesses: Excess[] = [];
    const { tokens, scorerTokens, mostTokens, latencyMs } = ledger.inside(aspectId);
    const total = tokens + scorerTokens;
    if (tokenBudget?.max !== undefined && total >= tokenBudget.max) {
      const { max: limit, onExceeded: action } = tokenBudget;
      excesses.push({ budget: "tokens", limit, current: total, action });
    }
    // After a task that spent too much the remaining tasks are skipped, as after a total that is used up.
    if (
      tokenBudget?.onExceeded === "skip-remaining" &&
      mostTokens > (tokenBudget.perTask ?? Number.POSITIVE_INFINITY)
    ) {
      const { perTask: limit = 0, onExceeded: action } = tokenBudget;
      excesses.push({ budget: "tokens", limit, current: mostTokens, action });
    }
    if (latencySlo?.maxMs !== undefined && latencyMs >= latencySlo.maxMs) {
      const { maxMs: limit, onExceeded: action } = latencySlo;
      excesses.push({ budget: "latency", limit, current: latencyMs, action });
    }
    return excesses;
  });
}

/** After an attempt: did the task, in this iteration and with all its attempts, stay within `perTask`? */
export function judgeAttempt(ledger: BudgetLedger, task: TaskDescriptor, aspects: Aspects): BudgetVerdict {
  const { tokens, latencyMs } = ledger.ofTask(taskKey(task));
  return judge(task, aspects, ({ tokenBudget, latencySlo }) => {
    const excesses: Excess[] = [];
    if (tokenBudget?.perTask !== undefined && tokens > tokenBudget.perTask) {
      const { perTask: limit, onExceeded: action } = tokenBudget;
      excesses.push({ budget: "tokens", limit, current: tokens, action });
    }
    if (latencySlo?.perTask !== undefined && latencyMs > latencySlo.perTask) {
      const { perTask: limit, onExceeded: action } = latencySlo;
      excesses.push({ budget: "latency", limit, current: latencyMs, action });
    }
    return excesses;
  });
}

function judge(
  task: TaskDescriptor,
  aspects: Aspects,
  find: (spec: AspectsSpec, aspectId: string) => Excess[],
): BudgetVerdict {
  const events: EventBody[] = [];
  let worst: (Excess & { aspectId: string }) | null = null;
  for (const aspectId of task.aspectIds ?? []) {
    const spec = aspects[aspectId];
    if (spec === undefined) continue;
    for (const excess of find(spec, aspectId)) {
      if (spec.tracking[excess.budget])
        events.push({ type: "BudgetExceeded", nodeId: task.nodeId, iteration: task.iteration, ...excess });
      if (worst === null || SEVERITY[excess.action] > SEVERITY[worst.action]) worst = { ...excess, aspectId };
    }
  }
  if (worst === null) return { kind: "ok" };
  const { aspectId, budget } = worst;
  switch (worst.action) {
    case "warn":
      return { kind: "warn", events };
    case "skip-remaining": {
      const reason = `the ${budget} budget is used up: ${spent(worst)}`;
      return { kind: "skip", reason, aspectId, events, error: exceeded(task, worst) };
    }
    case "fail":
      return { kind: "fail", events, error: exceeded(task, worst) };
    default:
      return worst.action satisfies never;
  }
}

function exceeded(task: TaskDescriptor, excess: Excess): ServiceError {
  const { budget, limit, current } = excess;
  return new ServiceError(
    "ASPECT_BUDGET_EXCEEDED",
    `Task ${task.nodeId} is over its ${budget} budget: ${spent(excess)}.`,
    { details: { budget, limit, current }, retryable: false },
  );
}

function spent({ budget, limit, current }: Excess): string {
  return `${current} ${budget === "tokens" ? "tokens" : "ms"} spent of ${limit}`;
}
