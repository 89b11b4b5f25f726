import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import type { AgentLike } from "../../model/agent.js";
import type { TaskDescriptor } from "../../model/task.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { renderFrame } from "../../operations/index.js";
import { dependencyNotices } from "./dependency-notices.js";
import { ServiceDb } from "../../store/index.js";

export interface PreflightRequest {
  input: Record<string, unknown>;
  rootDir: string;
  /** Called for an agent that only a fallback would use, and for a dependency on what the first frame has not. */
  onWarning(text: string): void;
}

/**
 * Asks the agents of the first frame, all at once, whether they can work, before
 * anything is started or a token is spent.
 * @throws INVALID_INPUT; AGENT_PREFLIGHT_FAILED naming every agent that a task would start with
 */
export async function preflightAgents(workflow: ServiceWorkflow, request: PreflightRequest): Promise<void> {
  const { store } = new ServiceDb(workflow.db);
  const input = store.validateInput(request.input);
  const { tasks } = await renderFrame(workflow, { input });
  for (const { text } of dependencyNotices(tasks)) request.onWarning(text);
  const first = new Set<AgentLike>();
  const others = new Set<AgentLike>();
  for (const task of tasks) {
    const [start, ...fallbacks] = chainOf(task);
    if (start !== undefined) first.add(start);
    for (const agent of fallbacks) others.add(agent);
  }
  const agents = [...new Set([...first, ...others])].filter(({ preflight }) => preflight !== undefined);
  const problems = await Promise.all(agents.map((agent) => problemOf(agent, request.rootDir)));
  const failures = agents.flatMap((agent, index) => {
    const problem = problems[index];
    return problem === undefined ? [] : [{ agent, problem }];
  });
  const blocking = failures.filter(({ agent }) => first.has(agent));
  for (const { agent, problem } of failures) {
    if (!first.has(agent)) request.onWarning(`fallback agent ${agent.id ?? "agent"}: ${summaryOf(problem)}`);
  }
  if (blocking.length === 0) return;
  throw new ServiceError(
    "AGENT_PREFLIGHT_FAILED",
    `Nothing was started: ${blocking.map(({ agent, problem }) => `${agent.id ?? "agent"}: ${summaryOf(problem)}`).join(" · ")}`,
    {
      details: { agents: blocking.map(({ agent }) => agent.id ?? "agent") },
      ...(blocking.length === 1 && { cause: blocking[0]?.problem }),
    },
  );
}

/** The agents of a task in the order they are tried; none for a task that is skipped. */
function chainOf({ agent, fallbackAgent, skipIf }: TaskDescriptor): AgentLike[] {
  if (skipIf) return [];
  return [agent ?? [], fallbackAgent ?? []].flat();
}

async function problemOf(agent: AgentLike, rootDir: string): Promise<Error | undefined> {
  try {
    await agent.preflight?.({ rootDir });
    return undefined;
  } catch (error) {
    return ensureError(error);
  }
}

function summaryOf(error: Error): string {
  return ServiceError.is(error) ? error.summary : error.message;
}
