import { ensureError } from "../../errors/ensure-error.js";
import { toPassingError } from "../../agents/sdk/agent-error.js";
import { ServiceError } from "../../errors/service-error.js";
import { agentIdOf } from "../../model/agent-name.js";
import type { AgentLike } from "../../model/agent.js";
import type { PreflightCheck, RunnerContext } from "../ports.js";

/**
 * An agent's start-up check: once per agent and run, also when several tasks
 * start together. A rejection is final: the same machine gives the same answer.
 * @throws AGENT_PREFLIGHT_FAILED, or the check's own code; not retryable
 */
export async function preflight(context: RunnerContext, agent: AgentLike): Promise<void> {
  if (agent.preflight === undefined) return;
  const { preflights } = context.job;
  for (;;) {
    let check = preflights.get(agent);
    if (check === undefined) {
      check = runCheck(context, agent);
      preflights.set(agent, check);
    }
    const { failure, isFinal } = await check;
    if (failure === null) return;
    if (isFinal) throw failure;
    if (preflights.get(agent) === check) preflights.delete(agent);
    // The task that made the check was aborted, which says nothing about the agent.
    const wasAborted = !ServiceError.is(failure, "AGENT_QUOTA_EXCEEDED");
    if (!wasAborted || context.runtime.signal.aborted) throw failure;
  }
}

async function runCheck({ runtime }: RunnerContext, agent: AgentLike): PreflightCheck {
  try {
    await agent.preflight?.({ abortSignal: runtime.signal, rootDir: runtime.rootDir });
    return { failure: null, isFinal: true };
  } catch (thrown) {
    const cause = toPassingError(thrown, { agentId: agentIdOf(agent) }) ?? ensureError(thrown);
    if (ServiceError.is(cause, "AGENT_QUOTA_EXCEEDED") || runtime.signal.aborted) {
      return { failure: cause, isFinal: false };
    }
    const failure = new ServiceError(
      ServiceError.is(cause) ? cause.code : "AGENT_PREFLIGHT_FAILED",
      `The start-up check of agent ${agent.id ?? "(unnamed)"} failed: ${cause.message}`,
      { cause, retryable: false, details: { agentId: agent.id ?? null } },
    );
    return { failure, isFinal: true };
  }
}
