import type { LoopVertex } from "./graph-types.js";
import type { Move } from "./move.js";

/** So many iterations that do nothing, one right after the other, will not be followed by one that does. */
const MOST_ROUNDS = 100;

/** Iterations that take longer wait for something: time passes between them, and they may go on for ever. */
const LONGEST_ROUND_MS = 50;

/** Counts an iteration that is over; true when the loop only turns and nothing in it will ever run again. */
export function isSpinning(move: Move, { plan, tasks }: LoopVertex): boolean {
  const { skippedRounds, nodes } = move.state;
  if (tasks.length === 0) return true;
  if (!tasks.every((key) => nodes.get(key)?.row.state === "skipped")) {
    skippedRounds.delete(plan.id);
    return false;
  }
  const rounds = skippedRounds.get(plan.id) ?? { count: 0, sinceMs: move.now };
  rounds.count += 1;
  skippedRounds.set(plan.id, rounds);
  if (rounds.count < MOST_ROUNDS) return false;
  if (move.now - rounds.sinceMs < MOST_ROUNDS * LONGEST_ROUND_MS) return true;
  skippedRounds.delete(plan.id);
  return false;
}

/** Whether what was skipped had been started: its budget was used up, and stays so. */
export function wasGivenUp(move: Move, { tasks }: LoopVertex): boolean {
  return tasks.some((key) => (move.state.nodes.get(key)?.row.lastAttempt ?? 0) > 0);
}
