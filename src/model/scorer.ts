import type { ZodType } from "zod";

export interface ScoreResult {
  score: number;
  reason?: string;
  meta?: Record<string, unknown>;
}

export interface ScorerInput {
  input: unknown;
  output: unknown;
  groundTruth?: unknown;
  context?: unknown;
  latencyMs?: number;
  outputSchema?: ZodType;
}

export interface Scorer {
  id: string;
  name: string;
  description: string;
  score(input: ScorerInput): Promise<ScoreResult>;
}

export interface ScorerBinding {
  scorer: Scorer;
  sampling?: { type: "all" } | { type: "ratio"; rate: number } | { type: "none" };
}

export type ScorersMap = Record<string, ScorerBinding>;
