import type { ZodType } from "zod";
import type { SerializedError } from "../errors/ensure-error.js";
import type { TokenUsage } from "./agent.js";

/** The result of a scorer for an output. */
export interface ScoreResult {
  /** How good the output is: 0 = bad, 1 = good. A number outside of that is taken for the nearer end. */
  score: number;
  /** Why, for people. */
  reason?: string;
  /** Anything else worth keeping, as plain JSON. */
  meta?: Record<string, unknown>;
}

/** The cost of one model call of a scorer. */
export interface ScorerUsage extends TokenUsage {
  /** Who was asked, as token counts and events name it. @default the scorer's id */
  agent?: string;
}

/** The argument of a scorer. */
export interface ScorerInput {
  /** The task's input: its prompt, its static row, or the rows of its `deps` and `needs`; null without. */
  input: unknown;
  /** The task's row. */
  output: unknown;
  /** The expected output, from the binding. */
  groundTruth?: unknown;
  /** The material that the output has to keep to, from the binding: sources, rules, a policy. */
  context?: unknown;
  /** How long the attempt took, milliseconds. */
  latencyMs?: number;
  /** The schema of the task's output. */
  outputSchema?: ZodType;
  /** Fires when nothing waits for the score any more. */
  signal?: AbortSignal;
  /** To be called with each model call once it has ended: its tokens are then the run's. Undefined in a batch. */
  onUsage?(usage: ScorerUsage): void;
}

/** Judges the output of a task. */
export interface Scorer {
  /** Tells it from other scorers, in rows and across versions of the workflow. */
  id: string;
  /** Shown to people. */
  name: string;
  /** The quality that it measures. */
  description: string;
  /** Judges one output. A rejection is a score that failed. */
  score(input: ScorerInput): Promise<ScoreResult>;
}

/** A scorer on a task, and how many of the task's outputs it is for. */
export interface ScorerBinding {
  /** The scorer. */
  scorer: Scorer;
  /** Which outputs are scored; `rate` is a share from 0 to 1. @default every one */
  sampling?: { type: "all" } | { type: "ratio"; rate: number } | { type: "none" };
  /** Handed to the scorer: what the output should be. Plain JSON. @default none */
  groundTruth?: unknown;
  /** Handed to the scorer: what the output has to keep to. Plain JSON. @default none */
  context?: unknown;
}

/** Scorers of a task by name. */
export type ScorersMap = Record<string, ScorerBinding>;

/** `live`: of a task of a run, while it ran; `batch`: made afterwards. */
export const SCORE_SOURCES = ["live", "batch"] as const;
export type ScoreSource = (typeof SCORE_SOURCES)[number];

/** `pending`: sampled, and not scored yet. */
export const SCORE_STATES = ["pending", "scored", "failed"] as const;
export type ScoreState = (typeof SCORE_STATES)[number];

/** The key of a score among those of its run. */
export interface ScoreAddress {
  nodeId: string;
  iteration: number;
  attempt: number;
  /** The scorer's `id`. */
  scorerId: string;
  /** Whether the run itself has sampled it, or it was made afterwards. */
  source: ScoreSource;
}

/** A sampled score as the store keeps it. */
export interface StoredScore extends ScoreAddress {
  id: string;
  scorerName: string;
  state: ScoreState;
  /** From 0 to 1; null unless `scored`. */
  score: number | null;
  reason: string | null;
  /** Why there is no score; null unless `failed`. */
  error: SerializedError | null;
  /** The three JSON texts are null where there was nothing, or nothing that JSON holds. */
  metaJson: string | null;
  inputJson: string | null;
  outputJson: string | null;
  groundTruthJson: string | null;
  contextJson: string | null;
  /** How long the attempt took, milliseconds. */
  latencyMs: number | null;
  /** Epoch ms: when the task finished. */
  sampledAtMs: number;
  /** Epoch ms; null while pending. */
  scoredAtMs: number | null;
  /** How long the scorer took, milliseconds; null where it did not end by itself. */
  durationMs: number | null;
}

/** How a sampled score ended. */
export type ScoreEnd = Pick<
  StoredScore,
  "state" | "score" | "reason" | "error" | "metaJson" | "scoredAtMs" | "durationMs"
>;

/** One score of a run. */
export interface ScoreRow extends ScoreAddress {
  /** `scorer_` and a hash of the address: the same output, scorer and source always have the same. */
  id: string;
  runId: string;
  /** The scorer's `name`. */
  scorerName: string;
  /** From 0 to 1. */
  score: number;
  /** Why, for people. */
  reason: string | null;
  /** Further data of the scorer, as JSON. */
  metaJson: string | null;
  /** The task's input, as JSON; null where there was none, or none that JSON holds. */
  inputJson: string | null;
  /** The row that was scored, as JSON; null as above. */
  outputJson: string | null;
  /** How long the scored attempt took, milliseconds. */
  latencyMs: number | null;
  /** Epoch ms. */
  scoredAtMs: number;
  /** How long the scorer took, milliseconds. */
  durationMs: number | null;
}

/** A sampled score of a run, also one that is not there yet or that came to nothing. */
export interface SampledScore extends Omit<ScoreRow, "score" | "scoredAtMs"> {
  /** Whether it is there, still to come, or failed. */
  state: ScoreState;
  /** Null unless `scored`. */
  score: number | null;
  /** Why there is none; null unless `failed`. */
  error: SerializedError | null;
  /** Epoch ms: when the scored task finished. */
  sampledAtMs: number;
  /** Epoch ms; null while pending. */
  scoredAtMs: number | null;
}

/** A score as a task reads it. */
export type TaskScore = Pick<
  SampledScore,
  "attempt" | "scorerId" | "scorerName" | "state" | "score" | "reason" | "error"
>;

/** Which scores are counted together. */
export interface AggregateOptions {
  /** @default all runs of the database */
  runId?: string;
  /** @default all tasks */
  nodeId?: string;
  /** @default all scorers */
  scorerId?: string;
}

/** The aggregate of one scorer's scores. */
export interface AggregateScore {
  /** Id of the scorer. */
  scorerId: string;
  /** Its name, shown to people. */
  scorerName: string;
  /** Scores that are there; what is pending or has failed does not count. */
  count: number;
  /** Of `count` scores, as the three that follow. */
  mean: number;
  /** The lowest, from 0 to 1. */
  min: number;
  /** The highest, from 0 to 1. */
  max: number;
  /** The median. */
  p50: number;
  /** Standard deviation of the whole population; 0 for a single score. */
  stddev: number;
}
