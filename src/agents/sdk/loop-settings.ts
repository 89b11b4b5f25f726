import type { ModelMessage, ToolLoopAgentSettings, ToolSet } from "ai";
import type { ZodType } from "zod";
import { ServiceError } from "../../errors/service-error.js";
import type { AgentGenerateOptions } from "../../model/agent.js";
import { answerJsonSchema } from "../structured/answer-schema.js";
import { schemaInstructions } from "../structured/prompts.js";
import { endWithAnswer } from "./final-step.js";
import { schemaTraits } from "./schema-traits.js";
import type { SdkAgentOptions, SdkModel } from "./sdk-options.js";
import type { SdkProvider } from "./sdk-provider.js";

type Output = ReturnType<typeof import("ai")["Output"]["text"]>;
type LoopSettings = ToolLoopAgentSettings<never, ToolSet, Output>;
type SdkProviderOptions = NonNullable<LoopSettings["providerOptions"]>;

/** Settings of the SDK's tool loop for one call. */
export async function loopSettings(call: {
  options: SdkAgentOptions;
  provider: SdkProvider;
  model: SdkModel;
  schema: ZodType | undefined;
}): Promise<LoopSettings> {
  const { provider, model, schema } = call;
  // The public type, which does without the SDK's types, is the SDK's own.
  const options = call.options as unknown as LoopSettings;
  const { Output, stepCountIs } = await import("ai");
  // Errors arrive in the stream; the SDK's default handler would print them as well.
  const silent = { onError: () => {} };
  const settings = {
    maxRetries: 0,
    stopWhen: stepCountIs(20),
    ...options,
    ...silent,
    model,
  } as unknown as LoopSettings;
  if (schema === undefined || !provider.native) return settings;

  const jsonSchema = answerJsonSchema(schema);
  const output: Output = {
    // The text stays text here: the caller validates it, and broken JSON is worth a correction.
    ...Output.text(),
    name: "object",
    responseFormat: Promise.resolve({ type: "json", schema: jsonSchema, name: "answer" }),
  };
  return {
    ...settings,
    output,
    providerOptions: merge(
      provider.schemaOptions(schemaTraits(jsonSchema)) as SdkProviderOptions,
      options.providerOptions,
    ),
    async prepareCall(base) {
      const prepared = (await options.prepareCall?.(base)) ?? base;
      const ending = endWithAnswer({ ...settings, ...prepared }, prepared.tools ?? {});
      return { ...prepared, ...silent, output, ...ending };
    },
  };
}

/** The question: `messages`, then `prompt`; the schema follows as text where it cannot go as a schema. */
export function questionOf(
  args: AgentGenerateOptions,
  native: boolean,
): { prompt: string } | { messages: ModelMessage[] } {
  const { messages, outputSchema } = args;
  const parts = [args.prompt ?? ""];
  if (outputSchema !== undefined && !native) parts.push(schemaInstructions(outputSchema));
  const prompt = parts.filter((part) => part !== "").join("\n\n");
  if (messages === undefined || messages.length === 0) {
    if (prompt === "")
      throw new ServiceError("TASK_EMPTY_PROMPT", "The agent was given neither a prompt nor messages.");
    return { prompt };
  }
  // The SDK checks the form of messages itself.
  const given = messages as ModelMessage[];
  return { messages: prompt === "" ? given : [...given, { role: "user", content: prompt }] };
}

/** The user's own options win, per provider and name. */
function merge(ours: SdkProviderOptions, theirs: SdkProviderOptions = {}): SdkProviderOptions {
  const merged: SdkProviderOptions = { ...ours, ...theirs };
  for (const [provider, options] of Object.entries(ours))
    merged[provider] = { ...options, ...theirs[provider] };
  return merged;
}
