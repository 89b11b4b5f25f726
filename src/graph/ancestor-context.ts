import { controlId, type EnclosingLoop, nodeIdInside } from "../model/address.js";
import { keyOfTarget } from "../model/context-view.js";
import { type IdScope, RUN_SCOPE } from "../model/id-scope.js";
import type { BudgetRole } from "../model/task.js";
import { sameData } from "../util/same-data.js";

/** The meaning of the elements around a place in the tree for the tasks in it. */
export interface AncestorContext {
  readonly scope: IdScope;
  /** Outermost first. */
  readonly loops: readonly EnclosingLoop[];
  readonly worktree: SurroundingWorktree | null;
  /** Innermost Parallel or MergeQueue. */
  readonly group: { readonly id: string; readonly cap?: number } | null;
  /** Enclosing Aspects, outermost first. */
  readonly aspectIds: readonly string[];
  /** The role of work that budgets may not refuse here; null = none. */
  readonly budgetRole: BudgetRole | null;
  /** An enclosing element has `skipIf`. */
  readonly skip: boolean;
  /** Tasks that everything here waits for: what stands at an inline subflow, as ids of the scope around it. */
  readonly after: readonly string[];
  /** Input of the innermost inline subflow; null = the run's own. */
  readonly input: Readonly<Record<string, unknown>> | null;
  /** Workflows of the inline subflows around, innermost first. */
  readonly workflows: readonly unknown[];
  /** The workflow of an inline subflow caches its tasks. */
  readonly cache: boolean;
  /** The queue that the innermost workflow which names one has for its work, else that of the run; null = none. */
  readonly queue: string | null;
}

export interface SurroundingWorktree {
  readonly id: string;
  readonly path: string;
  readonly branch?: string;
  readonly baseBranch?: string;
}

export const NOTHING_AROUND: AncestorContext = {
  scope: RUN_SCOPE,
  loops: [],
  worktree: null,
  group: null,
  aspectIds: [],
  budgetRole: null,
  skip: false,
  after: [],
  input: null,
  workflows: [],
  cache: false,
  queue: null,
};

/** Schema key of an output target of a workflow that is rendered in here. */
export function embeddedKey({ workflows }: AncestorContext, target: unknown): string | undefined {
  for (const workflow of workflows) {
    const key = keyOfTarget(workflow, target);
    if (key !== undefined) return key;
  }
  return undefined;
}

/** `previous` if it says the same: elements inside recognise unchanged ancestor context by reference. */
export function keepAncestorContext(
  next: AncestorContext,
  previous: AncestorContext | undefined,
): AncestorContext {
  return previous !== undefined && sameData(next, previous) ? previous : next;
}

export function taskAddress(id: string, { scope, loops }: AncestorContext): string {
  return nodeIdInside(scope.prefix + id, loops);
}

/**
 * The ids that a reference may mean, nearest first: a task in the same loop
 * body, then one in each body further out, then one in a loop inside this body.
 */
export function candidateIds(id: string, loops: readonly EnclosingLoop[]): string[] {
  const candidates: string[] = [];
  for (let depth = loops.length - 1; depth >= 0; depth -= 1)
    candidates.push(controlId(id, loops.slice(0, depth)));
  candidates.push(controlId(id, loops));
  return candidates;
}
