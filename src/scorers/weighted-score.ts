import type { ScoreResult } from "../model/scorer.js";
import { refuseOption } from "../options/check-options.js";

/**
 * One score of several: each counts by its weight. A score that is missing, null, skipped (`meta.skipped`) or without
 * a weight does not count, and the other weights make up for it. When nothing counts the score is 1, with
 * `meta.skipped`.
 * @example
 * weightedScore({ style: { score: 0.5 }, facts: { score: 1 } }, { style: 1, facts: 3 }).score; // 0.875
 * @throws INVALID_INPUT for what is no object, a weight that is no number from 0, or a score that counts and is no finite number
 */
export function weightedScore(
  results: Readonly<Record<string, ScoreResult | null | undefined>>,
  weights: Readonly<Record<string, number>>,
): ScoreResult {
  if (typeof results !== "object" || results === null) refuseOption("results", "scores by name", results);
  if (typeof weights !== "object" || weights === null) refuseOption("weights", "numbers by name", weights);
  let sum = 0;
  let total = 0;
  const counted: string[] = [];
  for (const [name, weight] of Object.entries(weights)) {
    if (!Number.isFinite(weight) || weight < 0) refuseOption(`weights.${name}`, "a number from 0", weight);
    const result = Object.hasOwn(results, name) ? results[name] : undefined;
    if (result === undefined || result === null || result.meta?.["skipped"] === true || weight === 0)
      continue;
    if (!Number.isFinite(result.score))
      refuseOption(`results.${name}.score`, "a number from 0 to 1", result.score);
    sum += weight * Math.min(1, Math.max(0, result.score));
    total += weight;
    counted.push(name);
  }
  if (total === 0) return { score: 1, reason: "None of the scores counts.", meta: { skipped: true } };
  return { score: sum / total, reason: `Of ${counted.join(", ")}.`, meta: { counted } };
}
