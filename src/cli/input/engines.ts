import { ServiceError } from "../../errors/service-error.js";
import { AGENT_ENGINES, type AgentEngine } from "../../model/agent.js";

/** The engines that were named, or all. @throws CLI_AGENT_UNSUPPORTED */
export function chosenEngines(names: readonly string[]): readonly AgentEngine[] {
  if (names.length === 0) return AGENT_ENGINES;
  return names.map((name) => {
    const engine = AGENT_ENGINES.find((candidate) => candidate === name);
    if (engine !== undefined) return engine;
    throw new ServiceError(
      "CLI_AGENT_UNSUPPORTED",
      `There is no agent ${name}; there are ${AGENT_ENGINES.join(", ")}.`,
      {
        details: { agent: name, supported: AGENT_ENGINES },
      },
    );
  });
}
