import { writtenId } from "../../model/address.js";
import { ZodObject } from "zod";
import { ServiceError } from "../../errors/service-error.js";
import type { AgentGenerateOptions, AgentLike, TokenUsage } from "../../model/agent.js";
import { checkOptions } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import { answerJsonSchema, validateAnswer } from "../structured/answer-schema.js";
import { inventValue } from "./invent-value.js";

/** The request that a scripted answer may depend on. */
export interface DemoRequest {
  /** As the agent was given it, without the conversation before it. */
  prompt: string;
  /** Without the loop address that tasks in nested loops carry. */
  nodeId?: string;
  /** From 0. */
  iteration: number;
  /** From 1. */
  attempt: number;
}

/** An object or a text; a function of the request; or a list of these, one per iteration, of which the last repeats. */
export type DemoAnswer =
  | string
  | Record<string, unknown>
  | ((request: DemoRequest) => string | Record<string, unknown>)
  | readonly DemoAnswer[];

/** Options of a demo agent. */
export interface DemoAgentOptions {
  /** @default "demo" */
  id?: string;
  /** The named limit that its attempts count for, see docs/concepts/limits.md. @default none */
  limit?: string;
  /** Answers by task id, or by a text that the prompt contains. Task ids are looked at first. */
  script?: Readonly<Record<string, DemoAnswer>>;
}

const RULES = {
  id: rules.withDefault(rules.text, "demo"),
  limit: rules.name,
  script: rules.record,
} satisfies rules.OptionRules<DemoAgentOptions>;

/** The result of `generate` of a demo agent. */
export interface DemoResult {
  /** The answer; of an object its JSON. */
  text: string;
  /** The answer as a value, when it is an object. */
  output?: unknown;
  /** Estimated from the length of the texts. */
  usage: TokenUsage;
}

/**
 * An agent without a model: it needs no network and no key, and answers the same every time. The answer to a prompt that
 * `script` does not know is invented from the output schema, or, without one, a sentence.
 */
export class DemoAgent implements AgentLike {
  readonly id: string;
  readonly limit?: string;
  readonly engine = "demo";
  readonly model = "demo";
  readonly supportsNativeStructuredOutput = true;
  readonly #script: Readonly<Record<string, DemoAnswer>>;

  /** @throws AGENT_CONFIG_INVALID for an option that is unknown or not as described */
  constructor(options: DemoAgentOptions = {}) {
    const owner = { of: "DemoAgent", code: "AGENT_CONFIG_INVALID" } as const;
    const { id, limit, script = {} } = checkOptions(owner, options, RULES);
    if (limit !== undefined) this.limit = limit;
    this.id = id;
    this.#script = script;
  }

  /** @throws AGENT_CONFIG_INVALID when no answer can be invented for the schema; the reason of `args.abortSignal` */
  async generate(args: AgentGenerateOptions = {}): Promise<DemoResult> {
    const { engine } = this;
    args.abortSignal?.throwIfAborted();
    args.onEvent?.({ type: "started", engine, title: this.id });
    const request = requestOf(args);
    const answer = this.#scripted(request) ?? (await this.#invented(request, args));
    const text = typeof answer === "string" ? answer : JSON.stringify(answer);
    const usage = { inputTokens: tokens(request.prompt), outputTokens: tokens(text), model: this.model };
    args.onStdout?.(text);
    args.onEvent?.({
      type: "action",
      engine,
      phase: "completed",
      entryType: "message",
      action: { id: "answer", kind: "note", title: "message" },
      message: text,
      ok: true,
    });
    args.onEvent?.({ type: "completed", engine, ok: true, answer: text, usage });
    return typeof answer === "string" ? { text, usage } : { text, output: answer, usage };
  }

  #scripted(request: DemoRequest): string | Record<string, unknown> | undefined {
    const { nodeId, prompt } = request;
    const byTask = nodeId !== undefined && Object.hasOwn(this.#script, nodeId) ? nodeId : undefined;
    const key = byTask ?? Object.keys(this.#script).find((part) => prompt.includes(part));
    return key === undefined ? undefined : settle(this.#script[key], request);
  }

  async #invented(
    request: DemoRequest,
    { outputSchema }: AgentGenerateOptions,
  ): Promise<string | Record<string, unknown>> {
    if (!(outputSchema instanceof ZodObject)) return `Demo answer to: ${firstLine(request.prompt)}`;
    const value = inventValue(answerJsonSchema(outputSchema)) as Record<string, unknown>;
    const verdict = await validateAnswer(outputSchema, value);
    if (verdict.ok) return value;
    const task = request.nodeId === undefined ? "" : ` of task "${request.nodeId}"`;
    throw new ServiceError(
      "AGENT_CONFIG_INVALID",
      `The demo agent cannot invent an answer for the output schema${task}: give one in its \`script\`.`,
      { details: { agentId: this.id, issues: verdict.issues } },
    );
  }
}

/** A {@link DemoAgent}. */
export function createDemoAgent(options?: DemoAgentOptions): DemoAgent {
  return new DemoAgent(options);
}

function requestOf({ prompt = "", messages = [], taskContext = {} }: AgentGenerateOptions): DemoRequest {
  const { nodeId, iteration = 0, attempt = 1 } = taskContext;
  const said = messages.map((message) => (message as { content?: unknown }).content);
  const request = {
    // Messages before the question ask nothing.
    prompt: prompt === "" ? said.filter((text) => typeof text === "string").join("\n") : prompt,
    iteration,
    attempt,
  };
  return nodeId === undefined ? request : { ...request, nodeId: writtenId(nodeId) };
}

function settle(
  answer: DemoAnswer | undefined,
  request: DemoRequest,
): string | Record<string, unknown> | undefined {
  if (isList(answer)) return settle(answer[Math.min(request.iteration, answer.length - 1)], request);
  return typeof answer === "function" ? answer(request) : answer;
}

function isList(answer: DemoAnswer | undefined): answer is readonly DemoAnswer[] {
  return Array.isArray(answer);
}

/** Four characters to a token, as in English prose. */
function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").slice(0, 120);
}
