import type { LanguageModel, ToolLoopAgentSettings, ToolSet } from "ai";
import { ServiceError } from "../../errors/service-error.js";

/** A model instance of an AI SDK provider. */
export type SdkModel = Exclude<LanguageModel, string>;

/** Options by provider, then by name. */
export type ProviderOptions = NonNullable<ToolLoopAgentSettings["providerOptions"]>;

/** Settings of the AI SDK's tool-loop agent that an SDK agent decides itself. */
type OwnSettings = "model" | "output" | "callOptionsSchema";

/**
 * Settings of the AI SDK's tool-loop agent: `instructions`, `tools`, `stopWhen` (default: 20 steps),
 * `maxOutputTokens`, `temperature`, `providerOptions`, `prepareCall` and the rest, with their meaning there.
 * One default differs: `maxRetries` is 0, because the task's retry policy is the one that survives restarts.
 */
export interface SdkAgentOptions extends Omit<ToolLoopAgentSettings<never, ToolSet>, OwnSettings> {
  /** Attributes events, tokens and quota errors. @default "<engine>:<model id>" */
  id?: string;
  /** A model id, resolved by the agent's provider, or a prebuilt model instance of any AI SDK provider. */
  model: string | SdkModel;
}

/** The id of the model that the options name. @throws ServiceError AGENT_CONFIG_INVALID when they name none */
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

/** Connection options make no sense beside a model instance, which brings its own. @throws ServiceError AGENT_CONFIG_INVALID */
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

/** A key out of the environment. @throws ServiceError AGENT_CONFIG_INVALID when it is not set */
export function environmentKey(name: string): string {
  const value = process.env[name];
  if (value !== undefined && value !== "") return value;
  throw new ServiceError(
    "AGENT_CONFIG_INVALID",
    `The environment variable ${name} is not set; the agent has no key for its provider.`,
    { details: { variable: name } },
  );
}
