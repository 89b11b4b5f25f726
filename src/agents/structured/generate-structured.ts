import { ownImmediate } from "../../util/own-timers.js";
import type { ZodObject, z } from "zod";
import { ServiceError } from "../../errors/service-error.js";
import type { AgentGenerateOptions, AgentInput, AgentLike, TokenUsage } from "../../model/agent.js";
import { toAgentError } from "../sdk/agent-error.js";
import { answerText, judgeAnswer } from "./judge-answer.js";
import { correctionPrompt, schemaInstructions } from "./prompts.js";
import { type AgentResultReading, readAgentResult, type StructuredMode } from "./read-agent-result.js";
import { inAgentSpan } from "./agent-span.js";
import { watchEvents } from "./watch-events.js";

/** One call of an agent's `generate`. */
export interface AgentCall {
  /** 0 for the first question, then the number of the correction. */
  schemaRetry: number;
  /** Absent when the agent does not report it. */
  usage?: TokenUsage;
  /** Absent when the call failed. */
  text?: string;
  sessionId?: string;
}

/** One call of an agent's `generate`, as it is about to be made. */
export interface AgentAsk {
  /** 0 for the first question, then the number of the correction. */
  schemaRetry: number;
  /** With the words about the schema, where the agent does not take it beside the prompt. */
  prompt: string;
  /** What was said before it; absent where nothing was. */
  messages?: unknown[];
}

/** Who is asked what, and what the answer must be. */
export interface GenerateStructuredOptions<S extends ZodObject = ZodObject> {
  /** Who is asked. */
  agent: AgentInput;
  /** The prompt, without words about the schema. */
  prompt: string;
  /** The schema of the answer. */
  schema: S;
  /** Passed to every call, except for what is set here: `prompt`, `outputSchema`, `schemaRetry`, and what continues the conversation: `messages` come before the prompt. */
  args?: AgentGenerateOptions;
  /** Corrections asked for after the first answer. @default 3 */
  maxSchemaRetries?: number;
  /** Called before each call of the agent. */
  onAsk?(ask: AgentAsk): void;
  /** Called before each correction is asked for. */
  onSchemaRetry?(retry: { schemaRetry: number; issues: string[]; mode: StructuredMode }): void;
  /** Called when a call has ended, also a failed one, so that its tokens are known whatever comes next. */
  onCall?(call: AgentCall): void;
}

/** The answer, and how it was obtained. */
export interface StructuredResult<Row> {
  /** The answer after the schema: defaults and transforms are applied. Do not parse it again. */
  row: Row;
  /** How the last answer was obtained. */
  mode: StructuredMode;
  /** Corrections that were needed. */
  schemaRetries: number;
  /** Every call in order. */
  calls: AgentCall[];
  /** Text of the last answer; the JSON of its value when it had no text. */
  text: string;
  /** Of the agent's conversation, when it keeps one. */
  sessionId?: string;
  /** The conversation, for agents that are continued with `messages`. */
  messages?: unknown[];
}

/**
 * Asks an agent for an object that matches `schema`. The schema goes to the agent natively when it
 * supports that, otherwise as text at the end of the prompt. An answer that does not match goes back
 * with the validation issues: in the agent's session, else as the prompt behind its conversation,
 * else quoting task and answer.
 *
 * @throws INVALID_OUTPUT with `details.issues` after `maxSchemaRetries` corrections;
 * what the agent throws, with provider errors classified; the reason of `args.abortSignal`.
 */
export async function generateStructured<S extends ZodObject>(
  options: GenerateStructuredOptions<S>,
): Promise<StructuredResult<z.output<S>>> {
  const { prompt, schema, args = {}, maxSchemaRetries = 3 } = options;
  const agent = options.agent as AgentLike;
  const native = agent.supportsNativeStructuredOutput === true;
  const instructions = native ? undefined : schemaInstructions(schema);
  const calls: AgentCall[] = [];
  const before = args.messages === undefined || args.messages.length === 0 ? undefined : args.messages;
  let question: Question = {
    prompt: instructions === undefined ? prompt : `${prompt}\n\n${instructions}`,
    messages: before,
  };

  for (let schemaRetry = 0; ; schemaRetry += 1) {
    args.abortSignal?.throwIfAborted();
    const { prompt: asked, messages: said } = question;
    options.onAsk?.({ schemaRetry, prompt: asked, ...(said !== undefined && { messages: said }) });
    const reading = await ask(
      { ...options, agent },
      { ...addressed(agent, question), ...(native && { outputSchema: schema }), schemaRetry },
    );
    const text = answerText(reading);
    const call: AgentCall = { schemaRetry, text };
    if (reading.usage !== undefined) call.usage = reading.usage;
    if (reading.sessionId !== undefined) call.sessionId = reading.sessionId;
    calls.push(call);
    options.onCall?.(call);

    const mode = reading.mode ?? (native ? "native" : "prompted");
    const messages = reading.messages && [...spoken(question), ...reading.messages];
    const verdict = await judgeAnswer(schema, reading, { mayBeProse: !native });
    if (verdict.ok) {
      const result: StructuredResult<z.output<S>> = {
        row: verdict.row,
        mode,
        schemaRetries: schemaRetry,
        calls,
        text,
      };
      if (reading.sessionId !== undefined) result.sessionId = reading.sessionId;
      if (messages !== undefined) result.messages = messages;
      return result;
    }
    const { issues } = verdict;
    if (schemaRetry >= maxSchemaRetries) throw invalidOutput({ issues, mode, answers: calls.length });
    options.onSchemaRetry?.({ schemaRetry: schemaRetry + 1, issues, mode });
    // To read a large answer takes its time: what else waits in this process comes before the next one.
    await new Promise<void>((resolve) => void ownImmediate(resolve));
    const { sessionId } = reading;
    question = nextQuestion({ issues, instructions, prompt, text, before, messages, sessionId });
  }
}

/** `prompt` is what is asked, `messages` what was said before it. */
interface Question extends Pick<AgentGenerateOptions, "resumeSession" | "forkSession"> {
  prompt: string;
  messages: unknown[] | undefined;
}

/** The messages of this question, which has yet to be answered. */
function spoken({ prompt, messages = [] }: Question): unknown[] {
  return [...messages, { role: "user", content: prompt }];
}

function nextQuestion(answered: {
  issues: string[];
  instructions: string | undefined;
  prompt: string;
  text: string;
  /** The conversation that the task continues with. */
  before: unknown[] | undefined;
  /** The same, and what was said since: of an agent that is continued with messages. */
  messages: unknown[] | undefined;
  sessionId: string | undefined;
}): Question {
  const { issues, instructions, prompt: task, text, before, messages, sessionId } = answered;
  const remembers = sessionId !== undefined || messages !== undefined;
  const correction = correctionPrompt({
    issues,
    ...(!remembers && { previousAnswer: text, task }),
    ...(instructions !== undefined && { instructions }),
  });
  // The conversation that answered is the one to correct, also when it was forked off another.
  if (sessionId !== undefined) {
    return { prompt: correction, messages: undefined, resumeSession: sessionId, forkSession: false };
  }
  return { prompt: correction, messages: messages ?? before };
}

/** As the agent takes it: agents of the AI SDK refuse `prompt` beside `messages`, so there the question is the last one. */
function addressed(agent: AgentLike, question: Question): AgentGenerateOptions {
  const isToolLoop = (agent as { version?: unknown }).version === "agent-v1";
  if (!isToolLoop || question.messages === undefined) return { ...question };
  return { ...question, prompt: undefined, messages: spoken(question) };
}

/** One call. Session and tokens of the agent's events count where its result has none. */
async function ask(
  call: { agent: AgentLike } & Pick<GenerateStructuredOptions, "args" | "onCall">,
  question: AgentGenerateOptions & { schemaRetry: number },
): Promise<AgentResultReading> {
  const { agent, args = {}, onCall } = call;
  const events = watchEvents(args.onEvent);
  try {
    return await inAgentSpan(agent, question, async () => {
      const result = await agent.generate({ ...args, ...question, onEvent: events.onEvent });
      return { ...events.reading(), ...readAgentResult(result) };
    });
  } catch (error) {
    // An AI SDK agent with an output of its own throws when the model's text does not match: that text is the answer.
    if (error instanceof Error && error.name === "AI_NoObjectGeneratedError") return readAgentResult(error);
    const { usage } = events.reading();
    if (usage !== undefined) onCall?.({ schemaRetry: question.schemaRetry, usage });
    if (args.abortSignal?.aborted === true) throw args.abortSignal.reason;
    throw toAgentError(error, agent.id === undefined ? {} : { agentId: agent.id });
  }
}

function invalidOutput(facts: { issues: string[]; mode: StructuredMode; answers: number }): ServiceError {
  const { issues, mode, answers } = facts;
  const subject = answers === 1 ? "The agent's answer does" : `All ${answers} answers of the agent do`;
  const shown = issues.slice(0, 3).join("; ").replace(/\.$/, "");
  return new ServiceError("INVALID_OUTPUT", `${subject} not match the output schema: ${shown}.`, {
    details: { issues, mode, schemaRetries: answers - 1 },
  });
}
