import { type TaskKey, taskKey } from "../../model/address.js";
import type { AttemptRow } from "../../model/node.js";
import type { UsageRow } from "../../store/index.js";

type AttemptAddress = Pick<AttemptRow, "nodeId" | "iteration" | "attempt">;

/** Of one task in one iteration, by all its attempts. */
interface Spending {
  tokens: number;
  /** By the scorers of its rows. Apart, since it is not what the task itself is judged by. */
  scorerTokens: number;
  latencyMs: number;
}

/** Of the tasks inside an Aspects together. */
export interface SpentInside extends Spending {
  /** Tokens of the task that has spent most. */
  mostTokens: number;
}

/**
 * Tokens and time spent per task, and per Aspects. Rounds of a loop spend from the same total.
 *
 * L1  What is spent counts for the Aspects that stood around the task when its attempt began,
 *     as the attempt's row says: spending never falls, whatever leaves the tree or moves in it.
 * L2  Seeded from stored rows, attempts before usage: what was spent before a restart counts.
 */
export class BudgetLedger {
  readonly #tasks = new Map<TaskKey, Spending>();
  readonly #inside = new Map<string, Map<TaskKey, Spending>>();
  /** Ids of the Aspects around each attempt that had any. */
  readonly #around = new Map<string, readonly string[]>();
  /** Calls of a model by attempt. */
  readonly #calls = new Map<string, number>();
  readonly #childTokens = new Map<TaskKey, number>();

  /** An attempt is known before what it spends. */
  addAttempt(attempt: AttemptAddress, aspectIds: readonly string[] | undefined): void {
    if (aspectIds !== undefined) this.#around.set(attemptKey(attempt), aspectIds);
  }

  addUsage(usage: UsageRow): void {
    const { inputTokens, outputTokens, scorerId, callNo } = usage;
    this.#spend(usage, scorerId === undefined ? "tokens" : "scorerTokens", inputTokens + outputTokens);
    const attempt = attemptKey(usage);
    this.#calls.set(attempt, Math.max(this.#calls.get(attempt) ?? 0, callNo + 1));
  }

  /** How many calls of a model are known of an attempt, its scorers' included. */
  callsOf(attempt: AttemptAddress): number {
    return this.#calls.get(attemptKey(attempt)) ?? 0;
  }

  /** Takes the total of a node's child run at the end of an attempt: only the increase is added. */
  setChildTokens(attempt: AttemptAddress, tokens: number): void {
    const key = taskKey(attempt);
    const known = this.#childTokens.get(key) ?? 0;
    this.#childTokens.set(key, Math.max(known, tokens));
    this.#spend(attempt, "tokens", Math.max(0, tokens - known));
  }

  /** Whether the child run of a node has been driven before. */
  hasChild(key: TaskKey): boolean {
    return this.#childTokens.has(key);
  }

  addDuration(attempt: AttemptAddress, durationMs: number): void {
    this.#spend(attempt, "latencyMs", Math.max(0, durationMs));
  }

  /** Spending of a task in its iteration, inside of Aspects. */
  ofTask(key: TaskKey): Readonly<Spending> {
    return this.#tasks.get(key) ?? nothing();
  }

  /** Spending inside an Aspects by now. */
  inside(aspectId: string): SpentInside {
    const all = { ...nothing(), mostTokens: 0 };
    for (const { tokens, scorerTokens, latencyMs } of this.#inside.get(aspectId)?.values() ?? []) {
      all.tokens += tokens;
      all.scorerTokens += scorerTokens;
      all.latencyMs += latencyMs;
      all.mostTokens = Math.max(all.mostTokens, tokens);
    }
    return all;
  }

  #spend(attempt: AttemptAddress, what: keyof Spending, amount: number): void {
    const around = this.#around.get(attemptKey(attempt));
    if (around === undefined) return;
    const key = taskKey(attempt);
    add(this.#tasks, key, what, amount);
    for (const aspectId of around) {
      const inside = this.#inside.get(aspectId) ?? new Map<TaskKey, Spending>();
      this.#inside.set(aspectId, inside);
      add(inside, key, what, amount);
    }
  }
}

function nothing(): Spending {
  return { tokens: 0, scorerTokens: 0, latencyMs: 0 };
}

function add(spent: Map<TaskKey, Spending>, key: TaskKey, what: keyof Spending, amount: number): void {
  const known = spent.get(key) ?? nothing();
  known[what] += amount;
  spent.set(key, known);
}

function attemptKey(attempt: AttemptAddress): string {
  return `${taskKey(attempt)}#${attempt.attempt}`;
}
