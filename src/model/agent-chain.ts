import type { AgentLike } from "./agent.js";
import type { TaskDescriptor } from "./task.js";

/** The chain that attempts walk: the agents in order, then the fallback. */
export function agentChain({ agent, fallbackAgent }: TaskDescriptor): AgentLike[] {
  const agents = agent === undefined ? [] : Array.isArray(agent) ? agent : [agent];
  return fallbackAgent === undefined ? agents : [...agents, fallbackAgent];
}

/** Whose turn it is in a chain: the agent after as many as attempts have failed; the last one repeats. */
export function turnInChain(failures: number, length: number): number {
  return Math.min(failures, length - 1);
}
