import type { PrepareStepFunction, StepResult, StopCondition, ToolSet } from "ai";

interface LoopSettings {
  stopWhen?: StopCondition<ToolSet> | StopCondition<ToolSet>[] | undefined;
  prepareStep?: PrepareStepFunction<ToolSet> | undefined;
}

/**
 * Lets a tool loop that has to produce an object end with one: when a stop condition is met right
 * after tool calls, one more step follows in which the model may only answer. Without it a loop that
 * reaches its step limit would end with no answer at all.
 */
export function endWithAnswer(settings: LoopSettings, tools: ToolSet): Required<LoopSettings> {
  const conditions = [settings.stopWhen ?? []].flat();
  let answering = false;
  return {
    stopWhen: async ({ steps }) => {
      if (answering) return true;
      const met = await Promise.all(conditions.map((condition) => condition({ steps })));
      answering = met.some(Boolean);
      return false;
    },
    prepareStep: async (options) => {
      const own = await settings.prepareStep?.(options);
      if (!answering) return own;
      // A provider that answers through a tool needs that one: it is not among ours, so none of ours stays.
      if (usesAnswerTool(options.steps, tools)) return { ...own, activeTools: [] };
      // Elsewhere the tools stay declared, since the messages contain calls of them.
      return { ...own, toolChoice: "none" };
    },
  };
}

/** The tool through which the AI SDK obtains an object from models without a native way. */
const ANSWER_TOOL = "json";

/** Whether a provider turned the schema into a tool, which shows only in what it sent. */
export function usesAnswerTool(steps: readonly StepResult<ToolSet>[], tools: ToolSet): boolean {
  if (ANSWER_TOOL in tools) return false;
  return steps.some((step) => {
    const sent = bodyOf(step.request.body)?.["tools"];
    return Array.isArray(sent) && sent.some((tool: { name?: unknown } | null) => tool?.name === ANSWER_TOOL);
  });
}

function bodyOf(body: unknown): Record<string, unknown> | undefined {
  if (typeof body === "object" && body !== null) return body as Record<string, unknown>;
  if (typeof body !== "string") return undefined;
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
