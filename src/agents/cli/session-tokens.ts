import type { TokenUsage } from "../../model/agent.js";

const MOST_SESSIONS = 100;
const COUNTS = [
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const;

interface Counted {
  sessionId?: string;
  usage?: TokenUsage;
}

/**
 * Turns the running totals of a conversation into the tokens of each call. Totals of conversations that
 * this agent has not seen before count in full.
 */
export class SessionTokens {
  readonly #totals = new Map<string, TokenUsage>();

  /** @param origin the conversation that this one continues from, when that is another */
  ofThisCall<R extends Counted>(result: R, origin?: string): R {
    const { sessionId, usage } = result;
    if (sessionId === undefined || usage === undefined) return result;
    const before = this.#totals.get(sessionId) ?? this.#totals.get(origin ?? sessionId);
    this.#totals.delete(sessionId);
    this.#totals.set(sessionId, usage);
    if (this.#totals.size > MOST_SESSIONS) this.#totals.delete(this.#totals.keys().next().value as string);
    return before === undefined ? result : { ...result, usage: difference(usage, before) };
  }
}

function difference(total: TokenUsage, before: TokenUsage): TokenUsage {
  const rest = { ...total };
  for (const key of COUNTS) {
    const count = total[key];
    if (count !== undefined) rest[key] = Math.max(0, count - (before[key] ?? 0));
  }
  return rest;
}
