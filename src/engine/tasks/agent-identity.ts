import { hashCapabilityRegistry } from "../../agents/capabilities/hash-capability-registry.js";
import type { AgentLike } from "../../model/agent.js";
import { agentChain } from "../../model/agent-chain.js";
import type { TaskDescriptor } from "../../model/task.js";

/** What distinguishes one answerer from another: ids, models, capabilities, tools. */
export function agentIdentity(task: TaskDescriptor): unknown {
  return agentChain(task).map((agent) => ({
    id: agent.id ?? null,
    model: modelOf(agent) ?? null,
    capabilities: hashCapabilityRegistry(agent.capabilities),
    tools: Object.keys(agent.tools ?? {}).sort(),
  }));
}

/** What events, usage and errors call the agent. */
export function agentIdOf(agent: AgentLike): string {
  return agent.id ?? agent.constructor.name;
}

export function modelOf(agent: AgentLike): string | undefined {
  const { model } = agent as { model?: unknown };
  if (typeof model === "string") return model;
  const { modelId } = (model ?? {}) as { modelId?: unknown };
  return typeof modelId === "string" ? modelId : undefined;
}
