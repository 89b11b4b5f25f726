import type { UsageRow } from "../../store/index.js";

/** Token totals of model calls. Of what no call has reported there is none. */
export interface TokenSums {
  /** All of them, those of a cache included. */
  inputTokens: number;
  /** All of them, reasoning included. */
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
  /** Number of calls. */
  calls: number;
}

/** The calls of one model. */
export interface ModelTokens extends TokenSums {
  /** Null for calls whose model is not known. */
  model: string | null;
}

/** Token totals, as a whole and by model. */
export interface TokenTotals extends TokenSums {
  /** Who has used most first. */
  models: ModelTokens[];
}

/** Adds up model calls, those of scorers included. */
export function tokenTotals(rows: readonly UsageRow[]): TokenTotals {
  const all = nothing();
  const models = new Map<string | null, ModelTokens>();
  for (const row of rows) {
    const model = row.model ?? null;
    const ofModel = models.get(model) ?? { model, ...nothing() };
    models.set(model, ofModel);
    add(all, row);
    add(ofModel, row);
  }
  const size = ({ inputTokens, outputTokens }: TokenSums) => inputTokens + outputTokens;
  return { ...all, models: [...models.values()].sort((a, b) => size(b) - size(a)) };
}

function nothing(): TokenSums {
  return {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    calls: 0,
  };
}

function add(sums: TokenSums, row: UsageRow): void {
  sums.inputTokens += row.inputTokens;
  sums.outputTokens += row.outputTokens;
  sums.cacheReadTokens += row.cacheReadTokens ?? 0;
  sums.cacheWriteTokens += row.cacheWriteTokens ?? 0;
  sums.reasoningTokens += row.reasoningTokens ?? 0;
  sums.calls += 1;
}
