import { ServiceError } from "../../errors/service-error.js";
import { chatBaseURL } from "./base-url.js";
import { connectionSecrets } from "./known-secrets.js";
import { packageMissing } from "./load-package.js";
import { strictness } from "./openai-agent.js";
import { SdkAgent } from "./sdk-agent.js";
import * as rules from "../../options/option-rules.js";
import {
  checkSettings,
  type KnownSettings,
  MODEL,
  modelIdOf,
  refuseConnectionOptions,
  SDK_RULES,
  type SdkAgentOptions,
} from "./sdk-options.js";
import type { SdkProvider } from "./sdk-provider.js";

/** Where the local server is, and the settings of its model. */
export interface CompatAgentOptions extends Omit<SdkAgentOptions, "model"> {
  /** @default "compat" */
  model?: SdkAgentOptions["model"];
  /** With or without `/v1`. Only with a model id, where this or COMPAT_BASE_URL is required. */
  baseURL?: string;
  /** Only with a model id. @default COMPAT_API_KEY, else the literal "compat" */
  apiKey?: string;
  /** Local models rarely enforce schemas, so the schema goes into the prompt. @default false */
  nativeStructuredOutput?: boolean;
}

const RULES = {
  ...SDK_RULES,
  model: rules.withDefault(MODEL, "compat"),
  baseURL: rules.text,
  apiKey: rules.secret(rules.text),
  nativeStructuredOutput: rules.withDefault(rules.flag, false),
} satisfies rules.OptionRules<KnownSettings<CompatAgentOptions>>;

/**
 * A local server that speaks the chat-completions API. Needs the package `@ai-sdk/openai`.
 *
 * @throws AGENT_CONFIG_INVALID without an address
 */
export class CompatAgent extends SdkAgent {
  constructor(options: CompatAgentOptions = {}) {
    const checked = checkSettings("CompatAgent", options, RULES);
    const { baseURL, apiKey, nativeStructuredOutput, ...settings } = checked;
    super(compatProvider(checked), settings);
  }
}

function compatProvider(
  options: rules.Checked<KnownSettings<CompatAgentOptions>, typeof RULES>,
): SdkProvider {
  const { model } = options;
  const modelId = modelIdOf(model);
  refuseConnectionOptions(options, "CompatAgent");
  const baseURL = options.baseURL ?? process.env["COMPAT_BASE_URL"];
  const apiKey = options.apiKey ?? process.env["COMPAT_API_KEY"] ?? "compat";
  if (typeof model === "string" && (baseURL === undefined || baseURL === "")) {
    throw new ServiceError(
      "AGENT_CONFIG_INVALID",
      "CompatAgent does not know the address of its server: set `baseURL` or the environment variable COMPAT_BASE_URL.",
    );
  }
  return {
    engine: "compat",
    modelId,
    native: options.nativeStructuredOutput,
    async connect() {
      if (typeof model !== "string") return model;
      const { createOpenAI } = await import("@ai-sdk/openai").catch(packageMissing("@ai-sdk/openai"));
      return createOpenAI({ apiKey, ...(baseURL !== undefined && { baseURL: chatBaseURL(baseURL) }) }).chat(
        model,
      );
    },
    secrets: () => connectionSecrets(apiKey, baseURL),
    schemaOptions: strictness,
  };
}
