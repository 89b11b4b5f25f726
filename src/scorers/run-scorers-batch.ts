import type { ZodType } from "zod";
import { ensureError, serializeError } from "../errors/ensure-error.js";
import { bindingsProblem } from "../model/bindings-problem.js";
import type { ScorerBinding, ScorerInput, ScoreResult, ScorersMap, StoredScore } from "../model/scorer.js";
import { checkOptions, refuseOption } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import { systemClock } from "../util/clock.js";
import { deferred } from "../util/deferred.js";
import { keptJson } from "./kept-json.js";
import { runScorer } from "./run-scorer.js";
import { isSampled, scoreId } from "./sampling.js";
import { limitScorer } from "./scorer-limit.js";
import { type ScoreTarget, scoreStore } from "./target.js";

/** The output that scorers are asked about, and where it is from. */
export interface ScorerContext {
  runId: string;
  nodeId: string;
  iteration: number;
  attempt: number;
  /** The task's input. */
  input: unknown;
  /** The task's output. */
  output: unknown;
  /** How long that took, milliseconds. */
  latencyMs?: number;
  /** The schema of the output. */
  outputSchema?: ZodType;
}

/** Options of `runScorersBatch`. */
export interface BatchOptions {
  /** Where the scores are kept, beside the run that the context names; without it they are not. */
  target?: ScoreTarget;
  /** Milliseconds that each scorer may take. @default 60000 */
  timeoutMs?: number;
}

const RULES = {
  target: rules.record,
  timeoutMs: rules.withDefault(rules.positiveNumber, 60_000),
} satisfies rules.OptionRules<BatchOptions>;

const CONTEXT_RULES = {
  runId: rules.required(rules.name),
  nodeId: rules.required(rules.name),
  iteration: rules.required(rules.wholeNumber),
  attempt: rules.required(rules.positiveInteger),
  input: rules.anything,
  output: rules.anything,
  latencyMs: rules.milliseconds,
  outputSchema: rules.checked<ZodType>(
    "a zod schema",
    (value) => typeof (value as { safeParseAsync?: unknown } | null)?.safeParseAsync === "function",
  ),
} satisfies rules.OptionRules<ScorerContext>;

/**
 * Asks scorers about an output that is there already, all at once. Sampling counts as it does in a run.
 * @returns by the names of the map; null for a scorer that is not for this output, or that has failed
 * @throws INVALID_INPUT for scorers, a context or options that are not as described; RUN_NOT_FOUND when scores are to be kept of a run that there is not
 */
export async function runScorersBatch(
  scorers: ScorersMap,
  context: ScorerContext,
  options: BatchOptions = {},
): Promise<Record<string, ScoreResult | null>> {
  const problem = bindingsProblem(scorers);
  if (problem !== undefined) refuseOption(problem.at, problem.expected, problem.received);
  checkOptions({ of: "runScorersBatch", at: "context" }, context, CONTEXT_RULES);
  const { target, timeoutMs } = checkOptions("runScorersBatch", options, RULES);
  const asked = await Promise.all(
    Object.entries(scorers).map(async ([name, binding]) => {
      return [name, await ask(binding, context, timeoutMs)] as const;
    }),
  );
  if (target !== undefined) {
    const store = await scoreStore(target);
    const rows = asked.flatMap(([, answer]) => answer?.row ?? []);
    await store.saveScores(context.runId, rows);
  }
  return Object.fromEntries(asked.map(([name, answer]) => [name, answer?.result ?? null]));
}

interface Answer {
  result: ScoreResult | null;
  row: StoredScore;
}

/** Null for an output that the scorer is not for. */
async function ask(
  binding: ScorerBinding,
  context: ScorerContext,
  timeoutMs: number,
): Promise<Answer | null> {
  const { scorer, groundTruth, context: given } = binding;
  const { runId, nodeId, iteration, attempt, ...about } = context;
  const place = { nodeId, iteration, attempt, scorerId: scorer.id, source: "batch" as const };
  if (!isSampled(binding, { runId, ...place })) return null;
  const beganAtMs = Date.now();
  const input: ScorerInput = {
    ...about,
    ...(groundTruth !== undefined && { groundTruth }),
    ...(given !== undefined && { context: given }),
  };
  const { result, error } = await inTime(binding, input, timeoutMs);
  return {
    result,
    row: {
      ...place,
      id: scoreId({ runId, ...place }),
      scorerName: scorer.name,
      state: result === null ? "failed" : "scored",
      score: result?.score ?? null,
      reason: result?.reason ?? null,
      error: error === null ? null : serializeError(error),
      metaJson: keptJson(result?.meta),
      inputJson: keptJson(context.input),
      outputJson: keptJson(context.output),
      groundTruthJson: keptJson(groundTruth),
      contextJson: keptJson(given),
      latencyMs: context.latencyMs ?? null,
      sampledAtMs: beganAtMs,
      scoredAtMs: Date.now(),
      durationMs: Math.max(0, Date.now() - beganAtMs),
    },
  };
}

async function inTime(
  { scorer }: ScorerBinding,
  input: ScorerInput,
  limitMs: number,
): Promise<{ result: ScoreResult; error: null } | { result: null; error: Error }> {
  const late = deferred<never>();
  const limit = limitScorer(scorer, { clock: systemClock, limitMs, onLate: late.reject });
  try {
    const answer = runScorer(scorer, { ...input, signal: limit.signal });
    return { result: await Promise.race([answer, late.promise]), error: null };
  } catch (thrown) {
    return { result: null, error: ensureError(thrown) };
  } finally {
    limit.disarm();
  }
}
