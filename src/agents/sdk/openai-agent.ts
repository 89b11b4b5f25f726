import { chatBaseURL } from "./base-url.js";
import { connectionSecrets } from "./known-secrets.js";
import { packageMissing } from "./load-package.js";
import type { SchemaTraits } from "./schema-traits.js";
import { SdkAgent } from "./sdk-agent.js";
import * as rules from "../../options/option-rules.js";
import {
  checkSettings,
  environmentKey,
  type KnownSettings,
  modelIdOf,
  type ProviderOptions,
  refuseConnectionOptions,
  SDK_RULES,
  type SdkAgentOptions,
} from "./sdk-options.js";
import type { SdkProvider } from "./sdk-provider.js";

/** Which endpoint and model, and the settings of the agent. */
export interface OpenAIAgentOptions extends SdkAgentOptions {
  /**
   * Address of a compatible endpoint, which is then spoken to through its chat-completions API.
   * An address without a path gets `/v1`. Only with a model id. @default OPENAI_BASE_URL, else the provider's own
   */
  baseURL?: string;
  /** Only with a model id. A local server may accept the value `none`. @default OPENAI_API_KEY */
  apiKey?: string;
  /** Whether a task's schema goes to the API instead of into the prompt. @default true */
  nativeStructuredOutput?: boolean;
}

const RULES = {
  ...SDK_RULES,
  baseURL: rules.text,
  apiKey: rules.secret(rules.text),
  nativeStructuredOutput: rules.withDefault(rules.flag, true),
} satisfies rules.OptionRules<KnownSettings<OpenAIAgentOptions>>;

/**
 * OpenAI, or any endpoint that is compatible with it. Without `baseURL` the Responses API is used, with
 * it the chat-completions API, which is what compatible servers have in common; pass a model instance to
 * choose otherwise. Needs the package `@ai-sdk/openai`.
 *
 * @throws AGENT_CONFIG_INVALID
 */
export class OpenAIAgent extends SdkAgent {
  constructor(options: OpenAIAgentOptions) {
    const checked = checkSettings("OpenAIAgent", options, RULES);
    const { baseURL, apiKey, nativeStructuredOutput, ...settings } = checked;
    super(openAIProvider(checked), settings);
  }
}

export { OpenAIAgent as ProviderAgentB };

const KEY = "OPENAI_API_KEY";

function openAIProvider(
  options: rules.Checked<KnownSettings<OpenAIAgentOptions>, typeof RULES>,
): SdkProvider {
  const { model, baseURL, apiKey } = options;
  const modelId = modelIdOf(model);
  refuseConnectionOptions(options, "OpenAIAgent");
  return {
    engine: "openai",
    modelId,
    native: options.nativeStructuredOutput,
    async connect() {
      if (typeof model !== "string") return model;
      const { createOpenAI } = await import("@ai-sdk/openai").catch(packageMissing("@ai-sdk/openai"));
      const key = apiKey ?? environmentKey(KEY);
      if (baseURL !== undefined)
        return createOpenAI({ apiKey: key, baseURL: chatBaseURL(baseURL) }).chat(model);
      const address = process.env["OPENAI_BASE_URL"] ?? "";
      return createOpenAI({
        apiKey: key,
        ...(address !== "" && { baseURL: chatBaseURL(address) }),
      }).responses(model);
    },
    secrets: () => [
      ...connectionSecrets(apiKey, baseURL),
      ...connectionSecrets(process.env[KEY], process.env["OPENAI_BASE_URL"]),
    ],
    schemaOptions: strictness,
  };
}

/** Keywords that strict schemas may not use. */
const NOT_STRICT = ["oneOf", "not", "propertyNames", "patternProperties", "prefixItems", "default"];

/** The API refuses schemas that are not strict unless the request says that they are not. */
export function strictness(traits: SchemaTraits): ProviderOptions {
  const strict =
    traits.optional === 0 && !traits.open && !NOT_STRICT.some((keyword) => traits.keywords.has(keyword));
  return strict ? {} : { openai: { strictJsonSchema: false } };
}
