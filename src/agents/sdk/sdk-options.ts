import { unknownOption } from "../../options/check-options.js";
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
  /** Attributes events, tokens and quota errors. @default "<engine>:<model id>" */
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
  /** Conditions such as the SDK's `stepCountIs(20)`. @default 20 steps */
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
  /** Is told of each step. */
  onStepFinish?(step: SdkCallback): unknown;
  /** Is told of the last step, with all of them. */
  onFinish?(result: SdkCallback): unknown;
  /** Whether `messages` may hold system messages. */
  allowSystemInMessages?: boolean;
  /** What the SDK calls experimental, under the SDK's names. */
  [setting: `experimental_${string}`]: unknown;
}

/** Values are the SDK's to judge: it says what is wrong with them. */
const SETTINGS: Readonly<Record<keyof KnownSettings, true>> = {
  id: true,
  limit: true,
  model: true,
  instructions: true,
  tools: true,
  toolChoice: true,
  activeTools: true,
  stopWhen: true,
  maxOutputTokens: true,
  temperature: true,
  topP: true,
  topK: true,
  presencePenalty: true,
  frequencyPenalty: true,
  stopSequences: true,
  seed: true,
  maxRetries: true,
  timeout: true,
  headers: true,
  providerOptions: true,
  prepareCall: true,
  prepareStep: true,
  onStepFinish: true,
  onFinish: true,
  allowSystemInMessages: true,
};

type KnownSettings = {
  [Name in keyof SdkAgentOptions as Name extends `experimental_${string}` ? never : Name]: unknown;
};

/** @throws AGENT_CONFIG_INVALID for a setting that the SDK would ignore */
export function refuseUnknownSettings(options: object, of: string): void {
  for (const [name, received] of Object.entries(options)) {
    if (received === undefined || Object.hasOwn(SETTINGS, name) || name.startsWith("experimental_")) continue;
    throw unknownOption({ of, code: "AGENT_CONFIG_INVALID" }, name, Object.keys(SETTINGS));
  }
}

/** Whether the tool loop ends after the steps so far. */
export type SdkStopCondition = (progress: SdkCallback) => boolean | PromiseLike<boolean>;

/** An argument of a callback. Its type is the SDK's: annotate it with the SDK's own to read it safely. */
// biome-ignore lint/suspicious/noExplicitAny: naming the SDK's types would make every project compile them.
export type SdkCallback = any;

/** @throws AGENT_CONFIG_INVALID for what is no object */
export function requireOptions(options: object, agentClass: string): void {
  if (typeof options === "object" && options !== null) return;
  throw new ServiceError(
    "AGENT_CONFIG_INVALID",
    `${agentClass} takes its options as one object, with \`model\`.`,
  );
}

/** The id of the model that the options name. @throws AGENT_CONFIG_INVALID when they name none */
export function modelIdOf(model: unknown, agentClass: string): string {
  if (typeof model === "string" && model !== "") return model;
  const id =
    typeof model === "object" && model !== null ? (model as { modelId?: unknown }).modelId : undefined;
  if (typeof id === "string") return id;
  throw new ServiceError(
    "AGENT_CONFIG_INVALID",
    `${agentClass} needs \`model\`: a model id or a model instance of an AI SDK provider.`,
  );
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
