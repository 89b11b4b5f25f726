import { hashCapabilityRegistry } from "../../agents/capabilities/hash-capability-registry.js";
import { agentChain } from "../../model/agent-chain.js";
import { modelOf } from "../../model/agent-name.js";
import type { TaskDescriptor } from "../../model/task.js";

/** The identity of an answerer: ids, models, capabilities, tools. */
export function agentIdentity(task: TaskDescriptor): unknown {
  return agentChain(task).map((agent) => ({
    id: agent.id ?? null,
    model: modelOf(agent) ?? null,
    capabilities: hashCapabilityRegistry(agent.capabilities),
    tools: Object.keys(agent.tools ?? {}).sort(),
  }));
}
