import { checkOptions } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import { ServiceError } from "../../errors/service-error.js";

/** A model instance of an AI SDK provider, as far as it has to be known here. */
export interface SdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
}

/** Options by provider, then by name. */
export type ProviderOptions = Record<string, Record<string, unknown>>;

/**
 * Settings of the AI SDK's tool-loop agent, with their meaning there. They are declared here without the
 * SDK's own types, whose declarations a project would have to compile although it never touches an SDK
 * agent. One default differs: `maxRetries` is 0, because the task's retry policy is the one that
 * survives restarts.
 */
export interface SdkAgentOptions {
  /** Attributes events, tokens and quota errors. @default made of both, "<engine>:<model id>" */
  id?: string;
  /** The named limit that its attempts count for, see docs/concepts/limits.md. @default none */
  limit?: string;
  /** A model id, resolved by the agent's provider, or a prebuilt model instance of any AI SDK provider. */
  model: string | SdkModel;
  /** The system prompt, or the SDK's system messages. */
  instructions?: string | object;
  /** Tools by name, as the SDK's `tool()` or `defineTool` makes them. */
  tools?: Readonly<Record<string, object>>;
  /** Whether the model must, may or must not call tools. */
  toolChoice?: "auto" | "none" | "required" | { type: "tool"; toolName: string };
  /** Names of the tools that the model is offered. @default all */
  activeTools?: string[];
  /** Conditions such as the SDK's `stepCountIs(20)`. @default after 20 steps */
  stopWhen?: SdkStopCondition | SdkStopCondition[];
  /** Longest answer, in tokens. */
  maxOutputTokens?: number;
  /** Randomness; the provider says which range. */
  temperature?: number;
  /** Nucleus sampling, from 0 to 1. */
  topP?: number;
  /** Only the k likeliest tokens are sampled from. */
  topK?: number;
  /** Makes the model repeat less of what the prompt says. */
  presencePenalty?: number;
  /** Makes the model use the same words less often. */
  frequencyPenalty?: number;
  /** Texts that end the answer. */
  stopSequences?: string[];
  /** Same answers for same calls, where the model supports that. */
  seed?: number;
  /** Attempts of the SDK within one attempt of the task. @default 0 */
  maxRetries?: number;
  /** Milliseconds for the whole call, or the SDK's time-outs by part. @default none */
  timeout?: number | object;
  /** Added to each HTTP request. */
  headers?: Record<string, string | undefined>;
  /** Settings of the provider, by its name. */
  providerOptions?: ProviderOptions;
  /** May change the settings of each call before it starts. */
  prepareCall?(settings: SdkCallback): unknown;
  /** May change the settings of each step. */
  prepareStep?(step: SdkCallback): unknown;
  /** Called with each step. */
  onStepFinish?(step: SdkCallback): unknown;
  /** Called with the last step, with all of them. */
  onFinish?(result: SdkCallback): unknown;
  /** Whether `messages` may hold system messages. */
  allowSystemInMessages?: boolean;
  /** The SDK's experimental settings, under the SDK's names. */
  [setting: `experimental_${string}`]: unknown;
}

/** The options of a class but for what the SDK calls experimental. */
export type KnownSettings<O> = {
  [Name in keyof O as Name extends `experimental_${string}` ? never : Name]: O[Name];
};

export const MODEL = rules.checked<string | SdkModel>(
  "a model id, or a model instance of an AI SDK provider",
  (value) =>
    rules.name.fits(value) || (rules.record.fits(value) && rules.text.fits((value as SdkModel).modelId)),
);

/** Rules that the SDK itself would apply only once the model is called, or not at all. */
export const SDK_RULES = {
  id: rules.name,
  limit: rules.name,
  model: rules.required(MODEL),
  instructions: rules.checked(
    "a string, or system messages",
    (value) => rules.text.fits(value) || (typeof value === "object" && value !== null),
  ),
  tools: rules.record,
  toolChoice: rules.checked(
    'auto, none, required or { type: "tool", toolName }',
    (value) => rules.oneOf(["auto", "none", "required"]).fits(value) || rules.record.fits(value),
  ),
  activeTools: rules.texts,
  stopWhen: rules.checked(
    "a condition such as stepCountIs(20), or a list of them",
    (value) => rules.callback.fits(value) || (Array.isArray(value) && value.every(rules.callback.fits)),
  ),
  maxOutputTokens: rules.positiveInteger,
  temperature: rules.number,
  topP: rules.number,
  topK: rules.number,
  presencePenalty: rules.number,
  frequencyPenalty: rules.number,
  stopSequences: rules.texts,
  seed: rules.integer,
  maxRetries: rules.withDefault(rules.wholeNumber, 0),
  timeout: rules.checked(
    "a number of milliseconds above 0, or time-outs by part",
    (value) => rules.positiveNumber.fits(value) || rules.record.fits(value),
  ),
  headers: rules.secret(rules.record),
  providerOptions: rules.record,
  prepareCall: rules.callback,
  prepareStep: rules.callback,
  onStepFinish: rules.callback,
  onFinish: rules.callback,
  allowSystemInMessages: rules.flag,
} satisfies rules.OptionRules<KnownSettings<SdkAgentOptions>>;

/** @throws AGENT_CONFIG_INVALID for a setting that is not as described, or that the SDK would ignore */
export function checkSettings<O extends object, R extends rules.OptionRules<KnownSettings<O>>>(
  agentClass: string,
  options: O,
  known: R,
): rules.Checked<KnownSettings<O>, R> {
  const isExperimental = (name: string) => name.startsWith("experimental_");
  const names =
    typeof options === "object" && options !== null ? Object.keys(options).filter(isExperimental) : [];
  const experimental = Object.fromEntries(names.map((name) => [name, rules.anything]));
  return checkOptions<KnownSettings<O>, R>(
    { of: agentClass, code: "AGENT_CONFIG_INVALID" },
    options as KnownSettings<O>,
    { ...known, ...experimental },
  );
}

/** Whether the tool loop ends after the steps so far. */
export type SdkStopCondition = (progress: SdkCallback) => boolean | PromiseLike<boolean>;

/** An argument of a callback. Its type is the SDK's: annotate it with the SDK's own to read it safely. */
// biome-ignore lint/suspicious/noExplicitAny: naming the SDK's types would make every project compile them.
export type SdkCallback = any;

/** The id of the model that the options name. */
export function modelIdOf(model: string | SdkModel): string {
  return typeof model === "string" ? model : model.modelId;
}

/** Connection options make no sense beside a model instance, which brings its own. @throws AGENT_CONFIG_INVALID */
export function refuseConnectionOptions(
  options: { model?: unknown; baseURL?: unknown; apiKey?: unknown },
  agentClass: string,
): void {
  if (typeof options.model === "string" || options.model === undefined) return;
  for (const name of ["baseURL", "apiKey"] as const) {
    if (options[name] === undefined) continue;
    throw new ServiceError(
      "AGENT_CONFIG_INVALID",
      `${agentClass} takes \`${name}\` only together with a model id; a model instance brings its own.`,
    );
  }
}

/** A key out of the environment. @throws AGENT_CONFIG_INVALID when it is not set */
export function environmentKey(name: string): string {
  const value = process.env[name];
  if (value !== undefined && value !== "") return value;
  throw new ServiceError(
    "AGENT_CONFIG_INVALID",
    `The environment variable ${name} is not set; the agent has no key for its provider.`,
    { details: { variable: name } },
  );
}
