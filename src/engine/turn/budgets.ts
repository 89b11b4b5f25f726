import { parseTaskKey, type TaskKey, taskKey, writtenId } from "../../model/address.js";
import { ServiceError } from "../../errors/service-error.js";
import type { EventBody } from "../../model/events.js";
import type { AspectsSpec } from "../../model/graph.js";
import type { TaskDescriptor } from "../../model/task.js";
import { isWaitKind } from "../../model/wait-kind.js";
import type { UsageRow } from "../../store/contract.js";

/** What a budget says about a task. */
export type BudgetVerdict =
  | { kind: "ok" }
  | { kind: "warn"; events: EventBody[] }
  | { kind: "fail"; error: ServiceError; events: EventBody[] }
  | { kind: "skip"; reason: string; events: EventBody[] };

interface Excess {
  budget: "tokens" | "latency";
  limit: number;
  current: number;
  action: "fail" | "warn" | "skip-remaining";
}

/**
 * Tokens and time spent per task, for the Aspects around them. Rounds of a loop spend from the same total. Seeded from
 * the stored rows, so that what was spent before a restart counts.
 */
export class BudgetLedger {
  readonly #tokens = new Map<TaskKey, number>();
  /** What scorers have spent on tasks. Apart, since it is not what the task itself is judged by. */
  readonly #scorerTokens = new Map<TaskKey, number>();
  /** Calls of a model by attempt. */
  readonly #calls = new Map<string, number>();
  readonly #latencyMs = new Map<TaskKey, number>();
  readonly #childTokens = new Map<TaskKey, number>();

  addUsage(usage: UsageRow): void {
    const { inputTokens, outputTokens, scorerId, callNo } = usage;
    const spent = scorerId === undefined ? this.#tokens : this.#scorerTokens;
    add(spent, taskKey(usage), inputTokens + outputTokens);
    const attempt = attemptKey(usage);
    this.#calls.set(attempt, Math.max(this.#calls.get(attempt) ?? 0, callNo + 1));
  }

  /** How many calls of a model are known of an attempt, its scorers' included. */
  callsOf(attempt: Parameters<typeof attemptKey>[0]): number {
    return this.#calls.get(attemptKey(attempt)) ?? 0;
  }

  /** What the child run of a node has spent in all by now: only what is new of it is added. */
  setChildTokens(key: TaskKey, tokens: number): void {
    const known = this.#childTokens.get(key) ?? 0;
    this.#childTokens.set(key, Math.max(known, tokens));
    add(this.#tokens, key, Math.max(0, tokens - known));
  }

  /** Whether the child run of a node has been driven before. */
  hasChild(key: TaskKey): boolean {
    return this.#childTokens.has(key);
  }

  addDuration(key: TaskKey, durationMs: number): void {
    add(this.#latencyMs, key, Math.max(0, durationMs));
  }

  /** Before a task starts: is anything left of the budgets around it? */
  beforeStart(task: TaskDescriptor, around: BudgetsAround): BudgetVerdict {
    return this.#judge(task, around, ({ tokenBudget, latencySlo }, inside) => {
      const excesses: Excess[] = [];
      const tokens = spentInside(this.#tokens, inside);
      const total = tokens.total + spentInside(this.#scorerTokens, inside).total;
      if (tokenBudget?.max !== undefined && total >= tokenBudget.max) {
        const { max: limit, onExceeded: action } = tokenBudget;
        excesses.push({ budget: "tokens", limit, current: total, action });
      }
      // What is skipped after a task that spent too much is what remains, as after a total that is used up.
      if (
        tokenBudget?.onExceeded === "skip-remaining" &&
        tokens.most > (tokenBudget.perTask ?? Number.POSITIVE_INFINITY)
      ) {
        const { perTask: limit = 0, onExceeded: action } = tokenBudget;
        excesses.push({ budget: "tokens", limit, current: tokens.most, action });
      }
      const latency = spentInside(this.#latencyMs, inside);
      if (latencySlo?.maxMs !== undefined && latency.total >= latencySlo.maxMs) {
        const { maxMs: limit, onExceeded: action } = latencySlo;
        excesses.push({ budget: "latency", limit, current: latency.total, action });
      }
      return excesses;
    });
  }

  /** After an attempt: did the task, in this iteration and with all its attempts, stay within `perTask`? */
  afterAttempt(task: TaskDescriptor, around: BudgetsAround): BudgetVerdict {
    const key: TaskKey = taskKey(task);
    return this.#judge(task, around, ({ tokenBudget, latencySlo }) => {
      const excesses: Excess[] = [];
      const tokens = this.#tokens.get(key) ?? 0;
      if (tokenBudget?.perTask !== undefined && tokens > tokenBudget.perTask) {
        const { perTask: limit, onExceeded: action } = tokenBudget;
        excesses.push({ budget: "tokens", limit, current: tokens, action });
      }
      const latency = this.#latencyMs.get(key) ?? 0;
      if (latencySlo?.perTask !== undefined && latency > latencySlo.perTask) {
        const { perTask: limit, onExceeded: action } = latencySlo;
        excesses.push({ budget: "latency", limit, current: latency, action });
      }
      return excesses;
    });
  }

  #judge(
    task: TaskDescriptor,
    around: BudgetsAround,
    find: (spec: AspectsSpec, inside: ReadonlySet<string>) => Excess[],
  ): BudgetVerdict {
    // A wait spends nothing, and what people have decided or sent must not be lost.
    if (isWaitKind(task.kind)) return { kind: "ok" };
    const events: EventBody[] = [];
    let worst: Excess | null = null;
    for (const aspectId of task.aspectIds ?? []) {
      const spec = around.aspects[aspectId];
      if (spec === undefined) continue;
      for (const excess of find(spec, around.nodesInside(aspectId))) {
        if (spec.tracking[excess.budget])
          events.push({ type: "BudgetExceeded", nodeId: task.nodeId, iteration: task.iteration, ...excess });
        if (worst === null || SEVERITY[excess.action] > SEVERITY[worst.action]) worst = excess;
      }
    }
    if (worst === null) return { kind: "ok" };
    const spent = `${worst.current} ${worst.budget === "tokens" ? "tokens" : "ms"} spent of ${worst.limit}`;
    switch (worst.action) {
      case "warn":
        return { kind: "warn", events };
      case "skip-remaining":
        return { kind: "skip", reason: `the ${worst.budget} budget is used up: ${spent}`, events };
      case "fail":
        return {
          kind: "fail",
          events,
          error: new ServiceError(
            "ASPECT_BUDGET_EXCEEDED",
            `Task ${task.nodeId} is over its ${worst.budget} budget: ${spent}.`,
            {
              details: { budget: worst.budget, limit: worst.limit, current: worst.current },
              retryable: false,
            },
          ),
        };
      default:
        return worst.action satisfies never;
    }
  }
}

const SEVERITY = { warn: 0, "skip-remaining": 1, fail: 2 } as const;

/** The Aspects of a frame and who is inside each. */
export interface BudgetsAround {
  readonly aspects: Readonly<Record<string, AspectsSpec>>;
  nodesInside(aspectId: string): ReadonlySet<string>;
}

export function budgetsAround(
  aspects: Readonly<Record<string, AspectsSpec>>,
  tasks: readonly TaskDescriptor[],
): BudgetsAround {
  return {
    aspects,
    nodesInside: (aspectId) =>
      new Set(
        tasks.filter((task) => task.aspectIds?.includes(aspectId)).map((task) => writtenId(task.nodeId)),
      ),
  };
}

function attemptKey({
  nodeId,
  iteration,
  attempt,
}: Pick<UsageRow, "nodeId" | "iteration" | "attempt">): string {
  return `${taskKey({ nodeId, iteration })}#${attempt}`;
}

function add(map: Map<TaskKey, number>, key: TaskKey, amount: number): void {
  map.set(key, (map.get(key) ?? 0) + amount);
}

/** What tasks of these base ids have spent together, and what the one that spent most has. */
function spentInside(
  spent: ReadonlyMap<TaskKey, number>,
  ids: ReadonlySet<string>,
): { total: number; most: number } {
  let total = 0;
  let most = 0;
  for (const [key, amount] of spent) {
    if (!ids.has(writtenId(parseTaskKey(key).nodeId))) continue;
    total += amount;
    most = Math.max(most, amount);
  }
  return { total, most };
}
