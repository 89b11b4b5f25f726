import type { LoopVertex } from "./graph-types.js";
import { hasWaited } from "./has-waited.js";
import type { StepContext } from "./step-context.js";

/** So many iterations in a row that neither do anything nor wait will not be followed by one that does. */
const MOST_ROUNDS = 100;

/** Counts an iteration that is over; true when the loop only turns and nothing in it will ever run again. */
export function isSpinning(context: StepContext, { plan, tasks }: LoopVertex): boolean {
  const { skippedRounds, nodes } = context.state;
  if (tasks.length === 0) return true;
  const isIdle = tasks.every((key) => {
    const row = nodes.get(key)?.row;
    return row?.state === "skipped" && !hasWaited(context.state, row);
  });
  const rounds = isIdle ? (skippedRounds.get(plan.id) ?? 0) + 1 : 0;
  skippedRounds.set(plan.id, rounds);
  return rounds >= MOST_ROUNDS;
}

/** Whether what was skipped had been started: its budget was used up, and stays so. */
export function wasGivenUp(context: StepContext, { tasks }: LoopVertex): boolean {
  return tasks.some((key) => (context.state.nodes.get(key)?.row.lastAttempt ?? 0) > 0);
}
