import { z } from "zod";
import { generateStructured } from "../agents/structured/generate-structured.js";
import type { AgentInput, AgentLike } from "../model/agent.js";
import { agentIdOf, modelOf } from "../model/agent-name.js";
import type { Scorer, ScorerInput, ScoreResult } from "../model/scorer.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import { currentToolContext } from "../tools/tool-context.js";
import { once } from "../util/once.js";
import { asJudge } from "./judge-mark.js";

/** A scorer that asks an agent. */
export interface LlmJudgeConfig {
  /** As of every scorer. */
  id: string;
  /** Shown to people. */
  name: string;
  /** The quality that it measures. */
  description: string;
  /** Who is asked: any agent, with or without structured output of its own. */
  judge: AgentInput;
  /** The criteria of the judge, and the meaning of scores. */
  instructions: string;
  /** The case to be judged, after the instructions. */
  promptTemplate(input: ScorerInput): string;
}

const RULES = {
  id: rules.required(rules.name),
  name: rules.required(rules.name),
  description: rules.required(rules.text),
  judge: rules.required(
    rules.checked<AgentInput>(
      "an agent",
      (value) => typeof (value as { generate?: unknown } | null)?.generate === "function",
    ),
  ),
  instructions: rules.required(rules.text),
  promptTemplate: rules.required(rules.callback),
} satisfies rules.OptionRules<LlmJudgeConfig>;

const verdict = once(() =>
  z.object({
    score: z.number().min(0).max(1).describe("0 = bad, 1 = good"),
    reason: z.string().nullish().describe("One or two sentences."),
  }),
);

/**
 * A scorer that asks an agent for a score from 0 to 1 and a reason. An answer that holds none, or a score
 * outside of that, goes back to the agent as any answer that does not fit its schema does, three times; after
 * that the score has failed. It is never taken for a bad score.
 * @throws INVALID_INPUT for a config that is not as described
 */
export function llmJudge(config: LlmJudgeConfig): Scorer {
  checkOptions("llmJudge", config, RULES);
  const { id, name, description } = config;
  return asJudge({ id, name, description, score: (input) => ask(config, input) });
}

async function ask(
  { judge, instructions, promptTemplate }: LlmJudgeConfig,
  input: ScorerInput,
): Promise<ScoreResult> {
  const { signal, onUsage } = input;
  const model = modelOf(judge as AgentLike);
  const rootDir = currentToolContext()?.rootDir;
  const { row } = await generateStructured({
    agent: judge,
    prompt: `${instructions}\n\n${promptTemplate(input)}`,
    schema: verdict(),
    args: {
      ...(signal !== undefined && { abortSignal: signal }),
      ...(rootDir !== undefined && { rootDir }),
    },
    onCall({ usage }) {
      if (usage === undefined) return;
      onUsage?.({ ...(model !== undefined && { model }), ...usage, agent: agentIdOf(judge as AgentLike) });
    },
  });
  const { score, reason } = row;
  return { score, ...(typeof reason === "string" && { reason }) };
}
