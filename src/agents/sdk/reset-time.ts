import { parseDuration } from "../../util/duration.js";
import { quotaResetAt } from "../cli/reset-time.js";

export interface LimitFacts {
  /** Response headers, names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The provider's error text. */
  text: string;
  nowMs: number;
}

/**
 * When a rate or usage limit ends, in epoch milliseconds; undefined when the response does not tell.
 * `retry-after` says it outright; the limit headers name a reset per budget, of which the latest
 * exhausted one counts; last comes the sentence of the error itself.
 */
export function resetTimeOf(facts: LimitFacts): number | undefined {
  return retryAfter(facts) ?? exhaustedBudgets(facts) ?? quotaResetAt(facts.text, facts.nowMs);
}

function retryAfter({ headers, nowMs }: LimitFacts): number | undefined {
  const ms = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(ms)) return nowMs + ms;
  const value = headers["retry-after"];
  if (value === undefined) return undefined;
  const seconds = Number(value);
  return Number.isFinite(seconds) ? nowMs + seconds * 1_000 : dateMs(value);
}

/** `anthropic-ratelimit-tokens-reset`, `x-ratelimit-reset-requests` and their kin. */
const RESET_HEADER = /^(?:[a-z]+-)?ratelimit-(?:(?<scope>[a-z-]+)-)?reset(?:-(?<budget>[a-z-]+))?$/;

function exhaustedBudgets({ headers, nowMs }: LimitFacts): number | undefined {
  const resets: { atMs: number; exhausted: boolean }[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (!RESET_HEADER.test(name)) continue;
    const atMs = momentMs(value, nowMs);
    const remaining = headers[name.replace("reset", "remaining")];
    if (atMs !== undefined)
      resets.push({ atMs, exhausted: remaining !== undefined && Number(remaining) <= 0 });
  }
  const exhausted = resets.filter((reset) => reset.exhausted);
  const relevant = exhausted.length > 0 ? exhausted : resets;
  return relevant.length === 0 ? undefined : Math.max(...relevant.map((reset) => reset.atMs));
}

/** Seconds or milliseconds since the epoch, seconds from now, a duration such as `6m0s`, or a date. */
function momentMs(value: string, nowMs: number): number | undefined {
  const number = Number(value);
  if (value.trim() !== "" && Number.isFinite(number)) {
    if (number > 1_000_000_000_000) return number;
    return number > 1_000_000_000 ? number * 1_000 : nowMs + number * 1_000;
  }
  const duration = compoundDuration(value);
  return duration === undefined ? dateMs(value) : nowMs + duration;
}

/** `1h2m3s`, `20ms`, `6m 0s`. */
function compoundDuration(text: string): number | undefined {
  const parts = text.trim().match(/(?<!\d)\d+(?:\.\d+)?\s*(?:ms|s|m|h|d)/g);
  if (parts === null || parts.join("").replaceAll(" ", "") !== text.replaceAll(" ", "")) return undefined;
  return parts.reduce((sum, part) => sum + (parseDuration(part) ?? 0), 0);
}

function dateMs(text: string): number | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
