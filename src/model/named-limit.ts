import { agentChain, turnInChain } from "./agent-chain.js";
import type { TaskDescriptor } from "./task.js";

/** How much of something the runs of a database use between them; at least one of both. */
export interface NamedLimit {
  /** Attempts at once. */
  concurrency?: number;
  /** Attempts that start within any minute. */
  perMinute?: number;
}

/** Limits by the names that tasks and agents give in `limit`. */
export type NamedLimits = Readonly<Record<string, NamedLimit>>;

const NONE: readonly string[] = [];

/**
 * The limits that an attempt needs a slot of, each once: the task's own, and that of the agent it begins with.
 * @param agentAt the agent's place in the chain, where it is not that of the failures
 */
export function limitsOf(
  task: TaskDescriptor,
  { failures, agentAt }: { failures: number; agentAt: number | null },
): readonly string[] {
  const { limit: own, agent, fallbackAgent } = task;
  // Most tasks have neither, and this is asked for each start.
  if (agent === undefined && fallbackAgent === undefined) return own === undefined ? NONE : [own];
  const chain = agentChain(task);
  const limit = chain[agentAt ?? turnInChain(failures, chain.length)]?.limit;
  if (limit === undefined || limit === own) return own === undefined ? NONE : [own];
  return own === undefined ? [limit] : [own, limit].sort();
}

/** Equal lists of names; both are sorted. */
export function isSameLimits(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}
