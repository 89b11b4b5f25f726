import type { AgentLike } from "../../model/agent.js";
import { inSpan } from "../../tracing/tracer.js";
import type { AgentResultReading } from "./read-agent-result.js";

/** One call of an agent as a span, named and described as OpenTelemetry's conventions for generative AI have it. */
export function inAgentSpan(
  agent: AgentLike,
  { schemaRetry }: { schemaRetry: number },
  work: () => Promise<AgentResultReading>,
): Promise<AgentResultReading> {
  const name = agent.id ?? agent.constructor.name;
  const { model } = agent as { model?: unknown };
  const attributes = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": name,
    "gen_ai.provider.name": agent.capabilities?.engine,
    "gen_ai.request.model": typeof model === "string" ? model : undefined,
    ...(schemaRetry > 0 && { "treadle.agent.schema_retry": schemaRetry }),
  };
  return inSpan({ name: `invoke_agent ${name}`, kind: "client", attributes }, async (span) => {
    const reading = await work();
    const { usage, sessionId } = reading;
    span?.set({
      "gen_ai.conversation.id": sessionId,
      "gen_ai.response.model": usage?.model,
      "gen_ai.usage.input_tokens": usage?.inputTokens,
      "gen_ai.usage.output_tokens": usage?.outputTokens,
    });
    return reading;
  });
}
