import type { TextStreamPart, ToolSet } from "ai";
import { ServiceError } from "../../errors/service-error.js";
import type { AgentGenerateOptions, AgentLike, TokenUsage } from "../../model/agent.js";
import { shorten } from "../../util/bounded-text.js";
import { extractJson } from "../structured/extract-json.js";
import type { StructuredMode } from "../structured/read-agent-result.js";
import { readUsage } from "../structured/read-usage.js";
import { toAgentError } from "./agent-error.js";
import { type CallSignal, callSignal, timeoutReason } from "./call-signal.js";
import { redactedError } from "./redacted-error.js";
import { usesAnswerTool } from "./final-step.js";
import { secretsIn } from "./known-secrets.js";
import { loopSettings, questionOf } from "./loop-settings.js";
import { observedModel } from "./observed-model.js";
import type { SdkAgentOptions } from "./sdk-options.js";
import type { SdkProvider } from "./sdk-provider.js";
import { StreamReport } from "./stream-events.js";
import { createRedactor } from "../../util/redactor.js";

/** The result of {@link SdkAgent.generate}. */
export interface SdkAgentResult {
  /** Text of the last step. */
  text: string;
  /** The object that was asked for with `outputSchema`, not validated; absent when the text holds none. */
  output?: unknown;
  /** Every step in order. */
  steps: { text: string }[];
  /** Of all steps together. */
  usage?: TokenUsage;
  /** How the object was obtained; absent when none was asked for. */
  mode?: StructuredMode;
  /** Of the last step, in the SDK's words. */
  finishReason: string;
  /** `messages` continue the conversation in a later call. */
  response: { modelId: string; messages: unknown[] };
}

/**
 * An agent on the AI SDK's tool-loop agent. The SDK and the provider's package are loaded by the first
 * call. It keeps no session: a conversation continues by passing `messages`.
 */
export class SdkAgent implements AgentLike {
  readonly id: string;
  readonly limit?: string;
  readonly engine: string;
  /** The model's id. */
  readonly model: string;
  readonly instructions?: string;
  readonly tools?: Readonly<Record<string, object>>;
  readonly supportsNativeStructuredOutput: boolean;
  readonly #provider: SdkProvider;
  readonly #options: SdkAgentOptions;

  constructor(provider: SdkProvider, options: SdkAgentOptions) {
    this.#provider = provider;
    const { limit, ...settings } = options;
    if (limit !== undefined) this.limit = limit;
    this.#options = settings;
    this.engine = provider.engine;
    this.model = provider.modelId;
    this.id = options.id ?? `${provider.engine}:${provider.modelId}`;
    this.supportsNativeStructuredOutput = provider.native;
    if (typeof options.instructions === "string") this.instructions = options.instructions;
    if (options.tools !== undefined) this.tools = options.tools;
  }

  /** Finds missing packages and credentials without calling the model. @throws AGENT_CONFIG_INVALID */
  async preflight(): Promise<void> {
    await this.#provider.connect();
  }

  /**
   * Runs the tool loop until the model answers without calling tools.
   *
   * @throws AGENT_QUOTA_EXCEEDED, AGENT_CONFIG_INVALID, AGENT_REFUSED, AGENT_PROVIDER_ERROR, TASK_TIMEOUT
   * after `args.timeout`, TASK_EMPTY_PROMPT; the reason of `args.abortSignal`
   */
  async generate(args: AgentGenerateOptions = {}): Promise<SdkAgentResult> {
    const { engine } = this;
    let redactor = createRedactor([]);
    const report = new StreamReport(engine, args, () => redactor);
    const stop = callSignal(args);
    args.onEvent?.({ type: "started", engine, title: this.id });
    try {
      stop.signal.throwIfAborted();
      await this.#provider.connect();
      redactor = createRedactor(await this.#secrets());
      // A model or a service that repeats a key must not bring it into rows and logs.
      const result = redactor.value(await this.#run({ args, report, stop }));
      const { usage, text: answer } = result;
      args.onEvent?.({ type: "completed", engine, ok: true, answer, ...(usage !== undefined && { usage }) });
      return result;
    } catch (thrown) {
      stop.giveUp(thrown);
      const usage = report.usage;
      const secrets = await this.#secrets();
      const reported = toAgentError(thrown, { agentId: this.id, secrets });
      const error = redactedError(reported, createRedactor(secrets));
      args.onEvent?.({
        type: "completed",
        engine,
        ok: false,
        error: error.message,
        ...(usage !== undefined && { usage }),
      });
      throw args.abortSignal?.aborted === true ? args.abortSignal.reason : error;
    } finally {
      stop.dispose();
    }
  }

  /** Texts that must appear nowhere. */
  async #secrets(): Promise<string[]> {
    return [...this.#provider.secrets(), ...(await secretsIn(this.#options))];
  }

  async #run(call: {
    args: AgentGenerateOptions;
    report: StreamReport;
    stop: CallSignal;
  }): Promise<SdkAgentResult> {
    const { args, report, stop } = call;
    stop.signal.throwIfAborted();
    const { ToolLoopAgent } = await import("ai");
    const model = await observedModel(await this.#provider.connect(), (text) => report.warning(text));
    const loop = new ToolLoopAgent(
      await loopSettings({
        options: this.#options,
        provider: this.#provider,
        model,
        schema: args.outputSchema,
      }),
    );
    const question = questionOf(args, this.supportsNativeStructuredOutput);
    const stream = await loop.stream({ ...question, abortSignal: stop.signal });
    await consume(stream.fullStream, { report, stop });

    const steps = await stream.steps;
    const last = steps.at(-1);
    const { modelId, messages } = await stream.response;
    // A whole answer names a reason for its end; the SDK reports this pair when it does not.
    if (last === undefined || (last.finishReason === "other" && last.rawFinishReason === undefined)) {
      throw new ServiceError(
        "AGENT_PROVIDER_ERROR",
        `The answer to agent "${this.id}" broke off before its end.`,
      );
    }
    if (last.finishReason === "content-filter") throw refused(this.id, last.text);
    const result: SdkAgentResult = {
      text: last.text,
      steps: steps.map((step) => ({ text: step.text })),
      finishReason: last.finishReason,
      response: { modelId, messages },
    };
    const usage = readUsage(await stream.totalUsage);
    if (usage !== undefined) result.usage = { ...usage, model: modelId };
    if (args.outputSchema !== undefined) {
      const native = usesAnswerTool(steps, (this.tools ?? {}) as ToolSet) ? "tool" : "native";
      result.mode = this.supportsNativeStructuredOutput ? native : "prompted";
      const output = extractJson(last.text);
      if (output !== undefined) result.output = output;
    }
    return result;
  }
}

/** Longest part of a refusal that is kept, in characters. */
const LONGEST_REFUSAL = 500;

function refused(agentId: string, text: string): ServiceError {
  const words = shorten(text.replace(/\s+/g, " ").trim(), LONGEST_REFUSAL);
  return new ServiceError(
    "AGENT_REFUSED",
    `The model of agent "${agentId}" refuses to answer${words === "" ? "." : `: ${words}`}`,
    { details: { agentId } },
  );
}

async function consume(
  parts: AsyncIterable<TextStreamPart<ToolSet>>,
  { report, stop }: { report: StreamReport; stop: CallSignal },
): Promise<void> {
  const iterator = parts[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await stop.race(iterator.next());
      if (next.done === true) break;
      if (next.value.type === "error") throw next.value.error;
      // Not ours, whose firing ends the race: a time-out from the SDK's own settings.
      if (next.value.type === "abort") throw timeoutReason();
      report.part(next.value);
    }
    stop.signal.throwIfAborted();
  } catch (error) {
    // Not awaited: the source may be the very thing that hangs.
    iterator.return?.().catch(() => {});
    throw error;
  }
}
