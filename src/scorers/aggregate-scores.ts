import type { AggregateOptions, AggregateScore } from "../model/scorer.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import { type ScoreTarget, scoreStore } from "./target.js";

const RULES = {
  runId: rules.name,
  nodeId: rules.name,
  scorerId: rules.name,
} satisfies rules.OptionRules<AggregateOptions>;

/**
 * Aggregates of a database's scores, one entry for each scorer by id and name. Scores that are outstanding
 * or have failed do not count.
 * @throws INVALID_INPUT for options that are not as described
 */
export async function aggregateScores(
  target: ScoreTarget,
  options: AggregateOptions = {},
): Promise<AggregateScore[]> {
  checkOptions("aggregateScores", options, RULES);
  return (await scoreStore(target)).aggregateScores(options);
}
