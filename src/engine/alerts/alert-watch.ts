import { type TaskKey, taskKey } from "../../model/address.js";
import type { AlertCondition, FiredAlert } from "../../model/alert.js";
import type { NodeRow } from "../../model/node.js";
import { Heap } from "../../util/heap.js";
import { conditionsOf, sinceMs } from "./conditions.js";
import type { ResolvedRule } from "./rules.js";

/** A rule together with what it is about: a task, or the run (null). */
export interface Finding {
  rule: ResolvedRule;
  key: TaskKey | null;
}

interface Armed extends Finding {
  atMs: number;
  /** Since when the task was in its state; another time means that it left it in between. */
  sinceMs: number;
}

/**
 * Knows which conditions are about to have lasted long enough. A rule fires once
 * for each task, or once for the run; what has fired is part of the run's state.
 */
export class AlertWatch {
  readonly #rules = new Map<AlertCondition, ResolvedRule[]>();
  readonly #fired: Set<string>;
  /** Since when the condition holds for each finding, as its newest entry in `#due` says. */
  readonly #armed = new Map<string, number>();
  readonly #due = new Heap<Armed>((a, b) => a.atMs < b.atMs);
  readonly #rowOf: (key: TaskKey) => NodeRow | undefined;

  constructor(
    rules: readonly ResolvedRule[],
    about: {
      fired: readonly Pick<FiredAlert, "id">[];
      startedAtMs: number;
      nodes: readonly NodeRow[];
      rowOf(key: TaskKey): NodeRow | undefined;
    },
  ) {
    for (const rule of rules) {
      this.#rules.set(rule.condition, [...(this.#rules.get(rule.condition) ?? []), rule]);
    }
    this.#fired = new Set(about.fired.map((fired) => fired.id));
    this.#rowOf = about.rowOf;
    for (const finding of this.of("run-running")) this.#arm(finding, about.startedAtMs);
    for (const row of about.nodes) {
      for (const condition of conditionsOf(row)) {
        // Rules about a single moment were dealt with in that moment.
        if (condition !== "task-failed") this.#armAll(condition, row);
      }
    }
  }

  /** Rules that do not fire again. */
  get fired(): { id: string }[] {
    return [...this.#fired].map((id) => ({ id }));
  }

  /** Where a rule delivers to, as the policy says now; undefined when it does not, or is gone. */
  destinationOf(name: string): string | undefined {
    const rule = [...this.#rules.values()].flat().find((each) => each.name === name);
    return rule?.reaction.kind === "deliver" ? rule.reaction.destination : undefined;
  }

  /** A task's row has changed. */
  note(row: NodeRow): void {
    for (const condition of conditionsOf(row)) this.#armAll(condition, row);
  }

  /** Rules about something that happens in a moment and that have not fired for it. */
  of(condition: AlertCondition, key: TaskKey | null = null): Finding[] {
    const rules = this.#rules.get(condition) ?? [];
    return rules.map((rule) => ({ rule, key })).filter((finding) => !this.#fired.has(findingId(finding)));
  }

  /** Epoch ms at which the next rule fires if nothing changes; undefined when none does. */
  nextDueAtMs(): number | undefined {
    for (let top = this.#due.peek(); top !== undefined; top = this.#due.peek()) {
      if (this.#holds(top)) return top.atMs;
      this.#drop();
    }
    return undefined;
  }

  /** The findings that fire now. Each is returned once. */
  takeDue(nowMs: number): Finding[] {
    const due: Finding[] = [];
    for (let atMs = this.nextDueAtMs(); atMs !== undefined && atMs <= nowMs; atMs = this.nextDueAtMs()) {
      const finding = this.#drop();
      if (finding !== undefined) due.push(finding);
    }
    return due;
  }

  setFired(finding: Finding): void {
    this.#fired.add(findingId(finding));
  }

  #armAll(condition: AlertCondition, row: NodeRow): void {
    for (const finding of this.of(condition, taskKey(row))) {
      this.#arm(finding, sinceMs(row));
    }
  }

  #arm(finding: Finding, since: number): void {
    const id = findingId(finding);
    const known = this.#armed.get(id);
    if (known === since || (known !== undefined && isCumulative(finding.rule.condition))) return;
    this.#armed.set(id, since);
    this.#due.push({ ...finding, sinceMs: since, atMs: since + finding.rule.afterMs });
  }

  /** Entries are never searched for and removed: one that no longer applies is dropped when it comes up. */
  #drop(): Finding | undefined {
    const top = this.#due.pop();
    if (top !== undefined && this.#armed.get(findingId(top)) === top.sinceMs) {
      this.#armed.delete(findingId(top));
    }
    return top;
  }

  #holds(armed: Armed): boolean {
    const id = findingId(armed);
    if (this.#fired.has(id) || this.#armed.get(id) !== armed.sinceMs) return false;
    if (armed.key === null) return true;
    const row = this.#rowOf(armed.key);
    if (row === undefined || !conditionsOf(row).includes(armed.rule.condition)) return false;
    return isCumulative(armed.rule.condition) || sinceMs(row) === armed.sinceMs;
  }
}

/** It continues through several states of the task, and counts from the first one. */
function isCumulative(condition: AlertCondition): boolean {
  return condition === "task-retrying";
}

/** The finding's name in the run's state. */
export function findingId({ rule, key }: Finding): string {
  return key === null ? rule.name : `${rule.name}:${key}`;
}
