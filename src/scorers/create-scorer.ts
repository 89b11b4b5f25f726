import type { Scorer } from "../model/scorer.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";

/** Options of a scorer. */
export interface CreateScorerConfig {
  /** Tells it from other scorers, in rows and across versions of the workflow. */
  id: string;
  /** Shown to people. */
  name: string;
  /** The quality that it measures. */
  description: string;
  /** Judges one output. */
  score: Scorer["score"];
}

const RULES = {
  id: rules.required(rules.name),
  name: rules.required(rules.name),
  description: rules.required(rules.text),
  score: rules.required(rules.callback),
} satisfies rules.OptionRules<CreateScorerConfig>;

/**
 * A scorer of your own.
 * @example
 * const short = createScorer({
 *   id: "short",
 *   name: "Short",
 *   description: "At most ten words.",
 *   score: async ({ output }) => ({ score: String(output).split(" ").length <= 10 ? 1 : 0 }),
 * });
 * @throws INVALID_INPUT for a config that is not as described
 */
export function createScorer(config: CreateScorerConfig): Scorer {
  checkOptions("createScorer", config, RULES);
  return { ...config };
}
