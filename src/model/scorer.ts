import type { ZodType } from "zod";

/** What a scorer says of an output. */
export interface ScoreResult {
  /** How good the output is, in the scorer's own measure. */
  score: number;
  /** Why, for people. */
  reason?: string;
  /** Anything else worth keeping. */
  meta?: Record<string, unknown>;
}

/** What a scorer is given. */
export interface ScorerInput {
  input: unknown;
  output: unknown;
  groundTruth?: unknown;
  context?: unknown;
  latencyMs?: number;
  outputSchema?: ZodType;
}

/** Judges the output of a task. Kept with the task; nothing calls it yet. */
export interface Scorer {
  id: string;
  name: string;
  description: string;
  score(input: ScorerInput): Promise<ScoreResult>;
}

/** A scorer on a task, and how many of the task's outputs it is for. */
export interface ScorerBinding {
  scorer: Scorer;
  sampling?: { type: "all" } | { type: "ratio"; rate: number } | { type: "none" };
}

/** Scorers of a task by name. */
export type ScorersMap = Record<string, ScorerBinding>;
