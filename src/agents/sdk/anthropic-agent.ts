import { messagesBaseURL } from "./base-url.js";
import { connectionSecrets } from "./known-secrets.js";
import { packageMissing } from "./load-package.js";
import { SdkAgent } from "./sdk-agent.js";
import {
  checkSettings,
  environmentKey,
  modelIdOf,
  type ProviderOptions,
  SDK_RULES,
  type SdkAgentOptions,
} from "./sdk-options.js";
import type { SdkProvider } from "./sdk-provider.js";

/** Options of {@link AnthropicAgent}: those of every SDK agent. */
export type AnthropicAgentOptions = SdkAgentOptions;

/** Optional properties from which on the compilation of a schema fails at the provider. */
const MOST_OPTIONAL = 10;

/**
 * Claude through the Messages API. With a model id, the key is read from ANTHROPIC_API_KEY and the
 * address from ANTHROPIC_BASE_URL, with or without `/v1` (default: the provider's own). Needs the package `@ai-sdk/anthropic`.
 *
 * Structured output is native; models and schemas that do not allow it answer through a tool (mode `tool`).
 *
 * @throws AGENT_CONFIG_INVALID
 */
export class AnthropicAgent extends SdkAgent {
  constructor(options: AnthropicAgentOptions) {
    const settings = checkSettings("AnthropicAgent", options, SDK_RULES);
    super(anthropicProvider(settings), settings);
  }
}

export { AnthropicAgent as ProviderAgentA };

const KEY = "ANTHROPIC_API_KEY";
const JSON_TOOL: ProviderOptions = { anthropic: { structuredOutputMode: "jsonTool" } };

function anthropicProvider(options: AnthropicAgentOptions): SdkProvider {
  const { model } = options;
  const modelId = modelIdOf(model);
  return {
    engine: "anthropic",
    modelId,
    native: true,
    async connect() {
      if (typeof model !== "string") return model;
      const { createAnthropic } = await import("@ai-sdk/anthropic").catch(
        packageMissing("@ai-sdk/anthropic"),
      );
      const address = process.env["ANTHROPIC_BASE_URL"] ?? "";
      return createAnthropic({
        apiKey: environmentKey(KEY),
        ...(address !== "" && { baseURL: messagesBaseURL(address) }),
      })(model);
    },
    secrets: () => connectionSecrets(process.env[KEY], process.env["ANTHROPIC_BASE_URL"]),
    schemaOptions({ optional, open, recursive }) {
      // Native output closes open objects, so that they come back empty, and rejects the other two.
      const lossy = open || recursive || optional > MOST_OPTIONAL;
      return lossy ? JSON_TOOL : {};
    },
  };
}
