import type { TokenUsage } from "../../model/agent.js";
import { isRecord } from "../../util/is-record.js";

/**
 * Token counts of an answer: our own {@link TokenUsage}, or the usage object of the AI SDK
 * (current shape with details, and the flat fields of its predecessor). Undefined when neither
 * an input nor an output count is there.
 */
export function readUsage(value: unknown): TokenUsage | undefined {
  if (!isRecord(value)) return undefined;
  const input = count(value["inputTokens"]);
  const output = count(value["outputTokens"]);
  if (input === undefined && output === undefined) return undefined;
  const inputDetails = isRecord(value["inputTokenDetails"]) ? value["inputTokenDetails"] : {};
  const outputDetails = isRecord(value["outputTokenDetails"]) ? value["outputTokenDetails"] : {};
  const usage: TokenUsage = { inputTokens: input ?? 0, outputTokens: output ?? 0 };
  const cacheRead = firstCount(
    value["cacheReadTokens"],
    inputDetails["cacheReadTokens"],
    value["cachedInputTokens"],
  );
  const cacheWrite = firstCount(value["cacheWriteTokens"], inputDetails["cacheWriteTokens"]);
  const reasoning = firstCount(value["reasoningTokens"], outputDetails["reasoningTokens"]);
  if (cacheRead !== undefined) usage.cacheReadTokens = cacheRead;
  if (cacheWrite !== undefined) usage.cacheWriteTokens = cacheWrite;
  if (reasoning !== undefined) usage.reasoningTokens = reasoning;
  if (typeof value["model"] === "string") usage.model = value["model"];
  return usage;
}

function firstCount(...candidates: unknown[]): number | undefined {
  for (const candidate of candidates) {
    const found = count(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** No call has used more; a larger number is a mistake or a lie, and would break every sum and budget. */
const MOST_TOKENS = 1_000_000_000;

function count(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= MOST_TOKENS ? Math.floor(value) : undefined;
}
