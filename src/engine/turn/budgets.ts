import { ServiceError } from "../../errors/service-error.js";
import type { EventBody } from "../../model/events.js";
import type { AspectsSpec } from "../../model/graph.js";
import { baseId, parseTaskKey, type TaskKey } from "../../model/node.js";
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
 * Tokens and time spent per node, for the Aspects around them. Rounds of an inner loop spend from the same budget. Seeded from the
 * stored rows, so that what was spent before a restart counts.
 */
export class BudgetLedger {
  readonly #tokens = new Map<string, number>();
  readonly #latencyMs = new Map<string, number>();
  readonly #childTokens = new Map<TaskKey, number>();

  addUsage(usage: UsageRow): void {
    add(this.#tokens, baseId(usage.nodeId), usage.inputTokens + usage.outputTokens);
  }

  /** What the child run of a node has spent in all by now: only what is new of it is added. */
  setChildTokens(key: TaskKey, tokens: number): void {
    const known = this.#childTokens.get(key) ?? 0;
    this.#childTokens.set(key, Math.max(known, tokens));
    add(this.#tokens, baseId(parseTaskKey(key).nodeId), Math.max(0, tokens - known));
  }

  /** Whether the child run of a node has been driven before. */
  hasChild(key: TaskKey): boolean {
    return this.#childTokens.has(key);
  }

  addDuration(nodeId: string, durationMs: number): void {
    add(this.#latencyMs, baseId(nodeId), Math.max(0, durationMs));
  }

  /** Before a task starts: is anything left of the budgets around it? */
  beforeStart(task: TaskDescriptor, around: BudgetScope): BudgetVerdict {
    return this.#judge(task, around, ({ tokenBudget, latencySlo, tracking }, inside) => {
      const excesses: Excess[] = [];
      if (tracking.tokens && tokenBudget?.max !== undefined) {
        const current = sum(this.#tokens, inside);
        if (current >= tokenBudget.max) {
          excesses.push({
            budget: "tokens",
            limit: tokenBudget.max,
            current,
            action: tokenBudget.onExceeded,
          });
        }
      }
      if (tracking.latency && latencySlo?.maxMs !== undefined) {
        const current = sum(this.#latencyMs, inside);
        if (current >= latencySlo.maxMs) {
          excesses.push({
            budget: "latency",
            limit: latencySlo.maxMs,
            current,
            action: latencySlo.onExceeded,
          });
        }
      }
      return excesses;
    });
  }

  /** After an attempt: did the task itself stay within `perTask`? */
  afterAttempt(task: TaskDescriptor, around: BudgetScope): BudgetVerdict {
    const id = new Set([baseId(task.nodeId)]);
    return this.#judge(task, around, ({ tokenBudget, latencySlo, tracking }) => {
      const excesses: Excess[] = [];
      const tokens = sum(this.#tokens, id);
      if (tracking.tokens && tokenBudget?.perTask !== undefined && tokens > tokenBudget.perTask) {
        const { perTask: limit, onExceeded: action } = tokenBudget;
        excesses.push({ budget: "tokens", limit, current: tokens, action });
      }
      const latency = sum(this.#latencyMs, id);
      if (tracking.latency && latencySlo?.perTask !== undefined && latency > latencySlo.perTask) {
        const { perTask: limit, onExceeded: action } = latencySlo;
        excesses.push({ budget: "latency", limit, current: latency, action });
      }
      return excesses;
    });
  }

  #judge(
    task: TaskDescriptor,
    around: BudgetScope,
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
export interface BudgetScope {
  readonly aspects: Readonly<Record<string, AspectsSpec>>;
  nodesInside(aspectId: string): ReadonlySet<string>;
}

export function budgetScope(
  aspects: Readonly<Record<string, AspectsSpec>>,
  tasks: readonly TaskDescriptor[],
): BudgetScope {
  return {
    aspects,
    nodesInside: (aspectId) =>
      new Set(tasks.filter((task) => task.aspectIds?.includes(aspectId)).map((task) => baseId(task.nodeId))),
  };
}

function add(map: Map<string, number>, key: string, amount: number): void {
  map.set(key, (map.get(key) ?? 0) + amount);
}

function sum(map: ReadonlyMap<string, number>, keys: ReadonlySet<string>): number {
  let total = 0;
  for (const key of keys) total += map.get(key) ?? 0;
  return total;
}
