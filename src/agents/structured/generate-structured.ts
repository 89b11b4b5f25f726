import type { ZodObject, z } from "zod";
import { ServiceError } from "../../errors/service-error.js";
import type { AgentCliEvent, AgentGenerateOptions, AgentLike, TokenUsage } from "../../model/agent.js";
import { toAgentError } from "../sdk/agent-error.js";
import { validateAnswer } from "./answer-schema.js";
import { extractJson } from "./extract-json.js";
import { correctionPrompt, schemaInstructions } from "./prompts.js";
import {
  type AgentResultReading,
  ENVELOPE_KEYS,
  readAgentResult,
  type StructuredMode,
} from "./read-agent-result.js";

/** One call of an agent's `generate`. */
export interface AgentCall {
  /** 0 for the first question, then the number of the correction. */
  schemaRetry: number;
  /** Absent when the agent does not report it. */
  usage?: TokenUsage;
  text?: string;
  sessionId?: string;
}

export interface GenerateStructuredOptions<S extends ZodObject = ZodObject> {
  agent: AgentLike;
  prompt: string;
  schema: S;
  /** Passed to every call. `prompt`, `outputSchema`, `schemaRetry` and, after the first call, `resumeSession` are set here. */
  args?: AgentGenerateOptions;
  /** Corrections asked for after the first answer. @default 3 */
  maxSchemaRetries?: number;
  /** Called before each correction is asked for. */
  onSchemaRetry?(retry: { schemaRetry: number; issues: string[]; mode: StructuredMode }): void;
  /** Called when a call has answered, so that its tokens are known even if a later call fails. */
  onCall?(call: AgentCall): void;
}

export interface StructuredResult<Row> {
  /** The answer after the schema: defaults and transforms are applied. Do not parse it again. */
  row: Row;
  mode: StructuredMode;
  /** Corrections that were needed. */
  schemaRetries: number;
  /** Every call in order. */
  calls: AgentCall[];
  /** Text of the last answer; the JSON of its value when it had no text. */
  text: string;
  sessionId?: string;
}

/**
 * Asks an agent for an object that matches `schema`. The schema goes to the agent natively when it
 * supports that, otherwise as text at the end of the prompt. An answer that does not match goes back
 * with the validation issues, in the agent's session when one is known, else quoting task and answer.
 *
 * @throws ServiceError INVALID_OUTPUT with `details.issues` after `maxSchemaRetries` corrections;
 * what the agent throws, with provider errors classified; the reason of `args.abortSignal`.
 */
export async function generateStructured<S extends ZodObject>(
  options: GenerateStructuredOptions<S>,
): Promise<StructuredResult<z.output<S>>> {
  const { agent, prompt, schema, args = {}, maxSchemaRetries = 3 } = options;
  const native = agent.supportsNativeStructuredOutput === true;
  const instructions = native ? undefined : schemaInstructions(schema);
  const calls: AgentCall[] = [];
  let mode: StructuredMode = native ? "native" : "prompted";
  let sessionId = args.resumeSession;
  let question = instructions === undefined ? prompt : `${prompt}\n\n${instructions}`;

  for (let schemaRetry = 0; ; schemaRetry += 1) {
    args.abortSignal?.throwIfAborted();
    const session = watchSession(args);
    const reading = await ask(agent, {
      ...args,
      ...(sessionId !== undefined && { resumeSession: sessionId }),
      ...(native && { outputSchema: schema }),
      prompt: question,
      schemaRetry,
      onEvent: session.onEvent,
    });
    const answeredIn = reading.sessionId ?? session.id();
    const text = textOf(reading);
    const call: AgentCall = { schemaRetry, text };
    if (reading.usage !== undefined) call.usage = reading.usage;
    if (answeredIn !== undefined) call.sessionId = answeredIn;
    calls.push(call);
    options.onCall?.(call);
    mode = reading.mode ?? mode;

    const verdict = await judge(schema, reading);
    if (verdict.ok) {
      const result = { row: verdict.row, mode, schemaRetries: schemaRetry, calls, text };
      return answeredIn === undefined ? result : { ...result, sessionId: answeredIn };
    }
    if (schemaRetry >= maxSchemaRetries) throw invalidOutput({ issues: verdict.issues, calls, mode });
    options.onSchemaRetry?.({ schemaRetry: schemaRetry + 1, issues: verdict.issues, mode });

    // Without a session of this very call the agent knows neither the task nor its answer any more.
    sessionId = answeredIn ?? args.resumeSession;
    question = correctionPrompt({
      issues: verdict.issues,
      ...(answeredIn === undefined && { previousAnswer: text, task: prompt }),
      ...(instructions !== undefined && { instructions }),
    });
  }
}

async function ask(agent: AgentLike, args: AgentGenerateOptions): Promise<AgentResultReading> {
  try {
    return readAgentResult(await agent.generate(args));
  } catch (error) {
    if (args.abortSignal?.aborted === true) throw args.abortSignal.reason;
    const unusable = unusableObject(error);
    if (unusable !== undefined) return unusable;
    throw toAgentError(error, agent.id === undefined ? {} : { agentId: agent.id });
  }
}

/** An AI SDK agent with an output of its own throws when the model's text does not match: that text is the answer. */
function unusableObject(error: unknown): AgentResultReading | undefined {
  if (!(error instanceof Error) || error.name !== "AI_NoObjectGeneratedError") return undefined;
  return readAgentResult(error);
}

/** The session id that an agent's events name; results need not repeat it. */
function watchSession(args: AgentGenerateOptions): {
  id(): string | undefined;
  onEvent(event: AgentCliEvent): void;
} {
  let resume: string | undefined;
  return {
    id: () => resume,
    onEvent(event) {
      if (event.type !== "action" && event.resume !== undefined) resume = event.resume;
      args.onEvent?.(event);
    },
  };
}

type Verdict<Row> = { ok: true; row: Row } | { ok: false; issues: string[] };

async function judge<S extends ZodObject>(
  schema: S,
  reading: AgentResultReading,
): Promise<Verdict<z.output<S>>> {
  const found = findAnswer(reading);
  const verdict: Verdict<z.output<S>> =
    found === undefined
      ? { ok: false, issues: [nothingFound(reading)] }
      : await validateAnswer(schema, found);
  const { plain } = reading;
  if (verdict.ok || plain === undefined || plain === found) return verdict;
  // A row with a column named text, output or steps looks like an envelope: the schema tells.
  const declared = ENVELOPE_KEYS.every((key) => !(key in plain) || key in schema.shape);
  const whole: Verdict<z.output<S>> = declared ? await validateAnswer(schema, plain) : verdict;
  return whole.ok ? whole : verdict;
}

/** The first of: value, final text, step texts from the last to the first. */
function findAnswer(reading: AgentResultReading): unknown {
  if (typeof reading.output === "object" && reading.output !== null) return reading.output;
  const texts = [reading.output, reading.text, ...reading.texts.toReversed()];
  for (const text of texts) {
    const found = typeof text === "string" ? extractJson(text) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function nothingFound(reading: AgentResultReading): string {
  return textOf(reading).trim() === "" ? "The answer is empty." : "The answer holds no complete JSON object.";
}

function textOf(reading: AgentResultReading): string {
  if (reading.text !== undefined) return reading.text;
  if (typeof reading.output === "string") return reading.output;
  return reading.output === undefined ? "" : (JSON.stringify(reading.output) ?? "");
}

function invalidOutput(facts: { issues: string[]; calls: AgentCall[]; mode: StructuredMode }): ServiceError {
  const { issues, calls, mode } = facts;
  const answers =
    calls.length === 1 ? "The agent's answer does" : `All ${calls.length} answers of the agent do`;
  return new ServiceError(
    "INVALID_OUTPUT",
    `${answers} not match the output schema: ${issues.slice(0, 3).join("; ")}.`,
    {
      details: { issues, mode, schemaRetries: calls.length - 1 },
    },
  );
}
