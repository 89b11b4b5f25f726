import type { Scorer } from "../model/scorer.js";
import { checkOptions, refuseOption } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";

/** Complaints of a schema that a reason quotes. */
const MOST_ISSUES = 5;

/**
 * A scorer that says whether the output fits the schema of its task: 1 or 0. Without a schema the score is 1,
 * with `meta.skipped`. A schema that turns values into others is compared with what it has made of them.
 */
export function schemaAdherenceScorer(): Scorer {
  return {
    id: "schema-adherence",
    name: "Schema adherence",
    description: "The output fits the schema of its task.",
    async score({ output, outputSchema }) {
      if (outputSchema === undefined) return skipped("The task has no schema.");
      const { success, error } = await outputSchema.safeParseAsync(output);
      if (success) return { score: 1, reason: "It fits." };
      const issues = error.issues
        .slice(0, MOST_ISSUES)
        .map(({ path, message }) => `${path.join(".") || "(row)"}: ${message}`);
      return { score: 0, reason: issues.join("; ") };
    },
  };
}

/** How fast is fast enough. */
export interface LatencyScorerConfig {
  /** Up to here the score is 1, milliseconds. */
  targetMs: number;
  /** From here on the score is 0, milliseconds; in between it falls evenly. More than `targetMs`. */
  maxMs: number;
}

const LATENCY_RULES = {
  targetMs: rules.required(rules.milliseconds),
  maxMs: rules.required(rules.milliseconds),
} satisfies rules.OptionRules<LatencyScorerConfig>;

/**
 * A scorer of how long the attempt took. Where that is not known the score is 1, with `meta.skipped`.
 * @throws INVALID_INPUT for a config that is not as described
 */
export function latencyScorer(config: LatencyScorerConfig): Scorer {
  checkOptions("latencyScorer", config, LATENCY_RULES);
  const { targetMs, maxMs } = config;
  if (maxMs <= targetMs)
    refuseOption("maxMs", `a number of milliseconds above targetMs (${targetMs})`, maxMs);
  return {
    id: "latency",
    name: "Latency",
    description: `The task takes at most ${targetMs} ms.`,
    async score({ latencyMs }) {
      if (latencyMs === undefined) return skipped("It is not known how long the task took.");
      const share = (maxMs - latencyMs) / (maxMs - targetMs);
      return { score: Math.min(1, Math.max(0, share)), reason: `It took ${latencyMs} ms.` };
    },
  };
}

function skipped(reason: string) {
  return { score: 1, reason, meta: { skipped: true } };
}
