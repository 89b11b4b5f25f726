import type { TokenUsage } from "../../model/agent.js";

const MOST_SESSIONS = 100;
const COUNTS = [
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const;

/**
 * Turns the running totals of a conversation into the tokens of each call. Totals of conversations that neither
 * this agent has seen before nor the tool has kept count in full.
 */
export class SessionTokens {
  readonly #totals = new Map<string, TokenUsage>();

  /** The totals of a conversation after the last call of this agent. */
  totalOf(sessionId: string): TokenUsage | undefined {
    return this.#totals.get(sessionId);
  }

  /** @param before what the conversation had come to when the call began */
  ofThisCall(sessionId: string, total: TokenUsage, before: TokenUsage | undefined): TokenUsage {
    this.#totals.delete(sessionId);
    this.#totals.set(sessionId, total);
    if (this.#totals.size > MOST_SESSIONS) this.#totals.delete(this.#totals.keys().next().value as string);
    return before === undefined ? total : difference(total, before);
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
