import { ServiceError } from "../../errors/service-error.js";
import type { AgentGenerateOptions } from "../../model/agent.js";
import type { CliEngine } from "./engine.js";
import type { BaseCliAgentOptions } from "./options.js";

/**
 * The agent's options for a call that may limit its tools: `allowTools` names them;
 * `cliAgentToolsDefault: "explicit-only"` leaves those that the agent's own options name, or none.
 *
 * @throws AGENT_CONFIG_INVALID when the tool cannot be limited: it would do more than it may
 */
export function limitTools<O extends BaseCliAgentOptions>(
  engine: CliEngine<O>,
  options: O,
  args: AgentGenerateOptions,
): O {
  const tools = allowedTools(engine, options, args);
  if (tools === undefined) return options;
  if (engine.toolLimit !== undefined) return engine.toolLimit.apply(options, tools);
  throw new ServiceError(
    "AGENT_CONFIG_INVALID",
    `${engine.title} cannot be limited to a list of tools, which this task asks for. Use another agent, or leave out \`allowTools\` and \`cliAgentToolsDefault: "explicit-only"\`.`,
    { details: { engine: engine.engine, option: "allowTools" } },
  );
}

function allowedTools<O extends BaseCliAgentOptions>(
  engine: CliEngine<O>,
  options: O,
  args: AgentGenerateOptions,
): readonly string[] | undefined {
  const { allowTools } = args;
  if (Array.isArray(allowTools)) return allowTools.map(String);
  if (args["cliAgentToolsDefault"] !== "explicit-only") return undefined;
  return engine.toolLimit?.chosen(options) ?? [];
}
