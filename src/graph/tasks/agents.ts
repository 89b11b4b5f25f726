import { type AgentLike, isAgent } from "../../model/agent.js";
import type { HostElement } from "../../model/host-node.js";
import type { TaskDescriptor } from "../../model/task.js";
import { frameError } from "../frame-error.js";
import { invalid, readChoice, readCount, readFlag, readTexts } from "../props.js";

const AGENT_ONLY = [
  "fallbackAgent",
  "fork",
  "hijack",
  "onHijackExit",
  "allowTools",
  "maxSchemaRetries",
] as const;

/** The props that concern a task's agents. */
export function describeAgents(element: HostElement, task: TaskDescriptor): void {
  const { agent, fallbackAgent } = element.props;
  if (task.kind !== "agent") {
    const stray = AGENT_ONLY.find((name) => element.props[name] !== undefined);
    if (stray === undefined) return;
    throw frameError("TASK_AGENT_REQUIRED", element, `has ${stray} but no agent.`);
  }
  task.agent = readAgents(element, agent);
  if (fallbackAgent !== undefined && fallbackAgent !== null) {
    if (!isAgent<AgentLike>(fallbackAgent))
      throw invalid(element, "fallbackAgent", "an agent: an object with generate()");
    task.fallbackAgent = fallbackAgent;
  }
  const allowTools = readTexts(element, "allowTools");
  if (allowTools !== undefined) task.allowTools = allowTools;
  const maxSchemaRetries = readCount(element, "maxSchemaRetries", { min: 0 });
  if (maxSchemaRetries !== undefined) task.maxSchemaRetries = maxSchemaRetries;
  const hijack = readFlag(element, "hijack");
  if (hijack !== undefined) task.hijack = hijack;
  const onHijackExit = readChoice(element, "onHijackExit", ["complete", "reopen"]);
  if (onHijackExit !== undefined) task.onHijackExit = onHijackExit;
}

function readAgents(element: HostElement, agent: unknown): AgentLike | AgentLike[] {
  if (isAgent<AgentLike>(agent)) return agent;
  if (Array.isArray(agent) && agent.length > 0 && agent.every(isAgent<AgentLike>)) return agent;
  throw invalid(element, "agent", "an agent (an object with generate()) or a non-empty list of agents");
}
