import type { AgentLike } from "./agent.js";

/** The agent's name in events, usage and errors. */
export function agentIdOf(agent: AgentLike): string {
  return agent.id ?? agent.constructor.name;
}

/** The model that it asks, as far as it tells. */
export function modelOf(agent: AgentLike): string | undefined {
  const { model } = agent as { model?: unknown };
  if (typeof model === "string") return model;
  const { modelId } = (model ?? {}) as { modelId?: unknown };
  return typeof modelId === "string" ? modelId : undefined;
}
