import { ServiceError } from "../../../errors/service-error.js";

/** Variables in which Pi looks for the keys of its providers. */
const KEY_VARIABLES: Readonly<Record<string, string>> = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  "azure-openai-responses": "AZURE_OPENAI_API_KEY",
  google: "GEMINI_API_KEY",
  deepseek: "DEEPSEEK_API_KEY",
  groq: "GROQ_API_KEY",
  cerebras: "CEREBRAS_API_KEY",
  xai: "XAI_API_KEY",
  fireworks: "FIREWORKS_API_KEY",
  openrouter: "OPENROUTER_API_KEY",
  "vercel-ai-gateway": "AI_GATEWAY_API_KEY",
  zai: "ZAI_API_KEY",
  mistral: "MISTRAL_API_KEY",
  minimax: "MINIMAX_API_KEY",
  moonshotai: "MOONSHOT_API_KEY",
  opencode: "OPENCODE_API_KEY",
  "kimi-coding": "KIMI_API_KEY",
};

/**
 * The variable for an agent's API key; undefined when it has none. The provider is that of the options,
 * else the first part of `provider/model`, else the tool's default.
 */
export function piKeyVariable(options: {
  apiKey?: string;
  provider?: string;
  model?: string;
}): string | undefined {
  if (options.apiKey === undefined) return undefined;
  const named = options.provider ?? /^([^/]+)\//.exec(options.model ?? "")?.[1] ?? "google";
  const variable = Object.hasOwn(KEY_VARIABLES, named) ? KEY_VARIABLES[named] : undefined;
  if (variable === undefined) {
    throw new ServiceError(
      "AGENT_CONFIG_INVALID",
      `Option \`apiKey\` of Pi has no variable for the provider "${named}"; set the one of its configuration with \`env\`.`,
      { details: { option: "apiKey", provider: named } },
    );
  }
  return variable;
}
