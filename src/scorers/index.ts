// Scorers: what judges the outputs of tasks.
export { createScorer, type CreateScorerConfig } from "./create-scorer.js";
export { llmJudge, type LlmJudgeConfig } from "./llm-judge.js";
export { faithfulnessScorer, relevancyScorer, toxicityScorer } from "./judges.js";
export { latencyScorer, type LatencyScorerConfig, schemaAdherenceScorer } from "./code-scorers.js";

// Scores: made afterwards, and looked at together.
export { type BatchOptions, runScorersBatch, type ScorerContext } from "./run-scorers-batch.js";
export { aggregateScores } from "./aggregate-scores.js";
export { weightedScore } from "./weighted-score.js";
export type { ScoreTarget } from "./target.js";

// Parts of both.
export type {
  AggregateOptions,
  AggregateScore,
  SampledScore,
  Scorer,
  ScorerBinding,
  ScorerInput,
  ScorerUsage,
  ScoreResult,
  ScoreRow,
  ScorersMap,
  TaskScore,
} from "../model/scorer.js";
