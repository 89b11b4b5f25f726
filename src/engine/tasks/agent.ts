import {
  generateStructured,
  type GenerateStructuredOptions,
  type StructuredResult,
} from "../../agents/structured/generate-structured.js";
import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import { agentChain, turnInChain } from "../../model/agent-chain.js";
import type { AgentGenerateOptions, AgentLike } from "../../model/agent.js";
import type { OpenApiCall } from "../../openapi/call-report.js";
import type { UsageRow } from "../../store/index.js";
import type { RunnerContext, RunnerResult } from "../ports.js";
import { runWithToolContext } from "../../tools/tool-context.js";
import { askedQuestion } from "./asked-question.js";
import { agentIdOf, modelOf } from "../../model/agent-name.js";
import { type EarlierAttempts, earlierAttempts } from "./earlier-attempts.js";
import { LiveText } from "../attempt/live-text.js";
import { HandOver } from "./hand-over.js";
import { keepGiven } from "../attempt/given.js";
import { forkStart, keptConversation } from "../attempt/forks.js";
import { withFacts } from "../memory/recall.js";
import { withOpenApiCalls } from "./openapi-events.js";
import { preflight } from "./preflight.js";
import { givenBackPrompt, promptText, withPreviousFailure } from "./prompt-text.js";
import { taskTools } from "./task-tools.js";

/**
 * Asks the agent whose turn it is: the one after as many agents as attempts have
 * failed, the last one repeats. Agents that are out of quota or refuse to answer are passed over
 * within the attempt; when none is left the attempt reports the earliest reset, or else the refusal.
 */
export async function runAgent(context: RunnerContext): Promise<RunnerResult> {
  // One tool context per attempt: it numbers the calls that idempotency keys are made of.
  const tools = taskTools(context);
  return runWithToolContext(tools, () =>
    withOpenApiCalls(
      tools,
      (call) => reportOpenApiCall(context, call),
      () => walkChain(context),
    ),
  );
}

async function walkChain(context: RunnerContext): Promise<RunnerResult> {
  const { job } = context;
  const chain = agentChain(job.task);
  if (job.editedPrompt !== null) {
    context.record.meta = { ...context.record.meta, editedPrompt: { by: job.editedPrompt.editedBy } };
  }
  const prompt = withPreviousFailure(
    withFacts(await promptText(context), context.found?.facts ?? []),
    job.previousError,
  );
  keepGiven(context.record, job, prompt);
  const earlier = await earlierAttempts(context);
  const asked = { count: 0 };
  const itsOwner = chain.findIndex((agent) => agentIdOf(agent) === earlier.givenBack?.agentId);
  let blocked: Error | null = null;
  let refused: Error | null = null;
  const turn = job.agentAt ?? turnInChain(job.failures, chain.length);
  for (let at = itsOwner < 0 ? turn : itsOwner; at < chain.length; at += 1) {
    const agent = chain[at] as AgentLike;
    if (agent.limit !== undefined && !job.heldLimits.includes(agent.limit)) {
      return { kind: "pass-on", to: { agentAt: at, quotaResetAtMs: resetOf(blocked) } };
    }
    const givenBack = at === itsOwner ? earlier.givenBack : null;
    try {
      await preflight(context, agent);
      return await ask(context, agent, { prompt, asked, ...earlier, givenBack });
    } catch (thrown) {
      const error = ensureError(thrown);
      if (ServiceError.is(error, "AGENT_QUOTA_EXCEEDED")) blocked = earlierReset(blocked, error);
      else if (ServiceError.is(error, "AGENT_REFUSED")) refused = error;
      else throw error;
    }
  }
  throw (
    blocked ?? refused ?? new ServiceError("TASK_AGENT_REQUIRED", `Task ${job.nodeId} has no agent to ask.`)
  );
}

async function ask(
  context: RunnerContext,
  agent: AgentLike,
  about: EarlierAttempts & { prompt: string /** Calls of this attempt. */; asked: { count: number } },
): Promise<RunnerResult> {
  const { job, record } = context;
  const { givenBack, wasHandedOver, lostSession } = about;
  const schema = job.task.outputSchema;
  if (schema === undefined) {
    throw new ServiceError("TASK_MISSING_OUTPUT", `Agent task ${job.nodeId} has no output schema.`);
  }
  const agentId = agentIdOf(agent);
  const usage: UsageRow[] = record.usage ?? [];
  record.usage = usage;
  record.meta = {
    ...record.meta,
    agentId,
    ...(modelOf(agent) !== undefined && { agentModel: modelOf(agent) }),
    ...(agent.capabilities !== undefined && { agentEngine: agent.capabilities.engine }),
  };
  const start =
    givenBack === null
      ? ((await forkStart(context, { agent, lostSession })) ?? goneOnWith(context))
      : { resumeSession: givenBack.sessionId };
  const handOver = new HandOver(context, {
    agent,
    agentId,
    isWanted: job.task.hijack === true && !wasHandedOver,
  });
  const question: GenerateStructuredOptions = {
    agent,
    prompt: givenBack === null ? about.prompt : givenBackPrompt(job.task, about.prompt),
    schema,
    ...(job.task.maxSchemaRetries !== undefined && { maxSchemaRetries: job.task.maxSchemaRetries }),
    args: {
      ...generateOptions(context, { agentId, handOver }),
      ...start,
      ...(lostSession && { freshSession: true }),
    },
    onAsk(ask) {
      about.asked.count += 1;
      context.report.asked(askedQuestion(context, { agent, schema, ask, questionNo: about.asked.count }));
    },
    onCall(call) {
      if (call.usage === undefined) return;
      usage.push({
        ...call.usage,
        runId: job.runId,
        nodeId: job.nodeId,
        iteration: job.iteration,
        attempt: job.attempt,
        callNo: usage.length,
        agentId,
        atMs: context.services.clock.now(),
        ...(call.usage.model === undefined && modelOf(agent) !== undefined && { model: modelOf(agent) }),
      });
    },
    onSchemaRetry({ schemaRetry, issues, mode }) {
      record.meta = { ...record.meta, outputMode: mode, schemaRetries: schemaRetry };
      context.report.event({ type: "StructuredOutputRejected", ...address(context), schemaRetry, issues });
    },
  };
  let answer: StructuredResult<Record<string, unknown>>;
  try {
    answer = await generateStructured(question);
  } catch (error) {
    const suspended = handOver.result();
    if (suspended !== null) return suspended;
    throw error;
  }
  const suspended = handOver.resultOfAnswer(answer.sessionId);
  if (suspended !== null) return suspended;
  record.meta = {
    ...record.meta,
    outputMode: answer.mode,
    schemaRetries: answer.schemaRetries,
    responseText: answer.text.slice(0, MOST_RESPONSE_TEXT),
    ...(answer.sessionId !== undefined && { sessionId: answer.sessionId }),
    ...(job.isForkSource && keptConversation(conversationOf(agent, question, answer))),
  };
  if (answer.mode !== "native" && job.attempt === 1) {
    context.report.event({ type: "StructuredOutputDowngraded", ...address(context), mode: answer.mode });
  }
  context.answer = answer.text;
  return { kind: "valid-row", value: answer.row };
}

/** The conversation of `memory.threadId`, as far as there is one. */
function goneOnWith({ found }: RunnerContext): { messages: unknown[] } | undefined {
  return found === undefined || found.messages.length === 0 ? undefined : { messages: found.messages };
}

/** The conversation for tasks that fork from this one, where they cannot fork its session. */
function conversationOf(
  agent: AgentLike,
  { prompt, args }: GenerateStructuredOptions,
  answer: StructuredResult<unknown>,
): unknown[] | undefined {
  const hasSession = answer.sessionId !== undefined;
  if (!hasSession || answer.messages !== undefined) return hasSession ? undefined : answer.messages;
  if (agent.supportsSessionFork !== false) return undefined;
  return [
    ...(args?.messages ?? []),
    { role: "user", content: prompt },
    { role: "assistant", content: answer.text },
  ];
}

/** Characters of an agent's answer that are kept with the attempt. */
const MOST_RESPONSE_TEXT = 64_000;

function generateOptions(
  context: RunnerContext,
  { agentId, handOver }: { agentId: string; handOver: HandOver },
): AgentGenerateOptions {
  const { job, runtime, report, services } = context;
  const { task, config } = job;
  // An agent without types may hand over the bytes that it has read.
  const output = (stream: "stdout" | "stderr") => (text: unknown) => {
    report.heartbeat(undefined);
    report.event({ type: "NodeOutput", ...address(context), text: String(text), stream });
  };
  return {
    abortSignal: handOver.signal,
    rootDir: runtime.rootDir,
    isRetry: job.attempt > 1,
    retry: job.attempt > 1,
    retryAttempt: job.attempt - 1,
    ...(config.maxOutputBytes !== undefined && { maxOutputBytes: config.maxOutputBytes }),
    ...(task.timeoutMs !== null && { timeout: task.timeoutMs }),
    ...(task.allowTools !== undefined && { allowTools: task.allowTools }),
    ...(config.cliAgentToolsDefault !== undefined && { cliAgentToolsDefault: config.cliAgentToolsDefault }),
    taskContext: {
      runId: job.runId,
      nodeId: job.nodeId,
      iteration: job.iteration,
      attempt: job.attempt,
    },
    onStdout: output("stdout"),
    onStderr: output("stderr"),
    onText: (text: unknown) =>
      LiveText.shared.say(services.store, { runId: job.runId, ...address(context), text: String(text) }),
    onEvent(event) {
      report.heartbeat(undefined);
      report.event({
        type: "AgentEvent",
        ...address(context),
        engine: "engine" in event ? event.engine : agentId,
        event,
      });
      handOver.note(event);
    },
  };
}

function reportOpenApiCall({ job, report }: RunnerContext, call: OpenApiCall): void {
  const { operationId, method, path, durationMs, status } = call;
  const { nodeId, iteration, attempt } = job;
  report.heartbeat(undefined);
  report.event({
    type: "OpenApiToolCalled",
    nodeId,
    iteration,
    attempt,
    operationId,
    method,
    path,
    durationMs,
    status,
  });
}

function earlierReset(a: Error | null, b: ServiceError): Error {
  if (a === null) return b;
  const reset = (error: Error) => resetOf(error) ?? Number.POSITIVE_INFINITY;
  return reset(b) < reset(a) ? b : a;
}

function resetOf(error: Error | null): number | null {
  return (error as { details?: { resetAtMs?: number } } | null)?.details?.resetAtMs ?? null;
}

function address({ job }: RunnerContext) {
  return { nodeId: job.nodeId, iteration: job.iteration, attempt: job.attempt };
}
