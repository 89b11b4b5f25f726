import type { LoopVertex } from "./graph-types.js";
import type { StepContext } from "./step-context.js";

/** So many iterations that do nothing, one right after the other, will not be followed by one that does. */
const MOST_ROUNDS = 100;

/** Iterations that take longer wait for something: time passes between them, and they may continue for ever. */
const LONGEST_ROUND_MS = 50;

/** Counts an iteration that is over; true when the loop only turns and nothing in it will ever run again. */
export function isSpinning(context: StepContext, { plan, tasks }: LoopVertex): boolean {
  const { skippedRounds, nodes } = context.state;
  if (tasks.length === 0) return true;
  if (!tasks.every((key) => nodes.get(key)?.row.state === "skipped")) {
    skippedRounds.delete(plan.id);
    return false;
  }
  const rounds = skippedRounds.get(plan.id) ?? { count: 0, sinceMs: context.now };
  rounds.count += 1;
  skippedRounds.set(plan.id, rounds);
  if (rounds.count < MOST_ROUNDS) return false;
  if (context.now - rounds.sinceMs < MOST_ROUNDS * LONGEST_ROUND_MS) return true;
  skippedRounds.delete(plan.id);
  return false;
}

/** Whether what was skipped had been started: its budget was used up, and stays so. */
export function wasGivenUp(context: StepContext, { tasks }: LoopVertex): boolean {
  return tasks.some((key) => (context.state.nodes.get(key)?.row.lastAttempt ?? 0) > 0);
}
