import { describe, expect, it } from "vitest";
import { resetTimeOf } from "../../../src/agents/sdk/reset-time.js";

const nowMs = Date.parse("2026-01-02T03:04:05Z");
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const fromHeaders: [name: string, headers: Record<string, string>, expected: number][] = [
  ["seconds to wait", { "retry-after": "30" }, nowMs + 30 * SECOND],
  ["a fraction of seconds", { "retry-after": "0.5" }, nowMs + 500],
  ["a date to wait for", { "retry-after": "Fri, 02 Jan 2026 04:04:05 GMT" }, nowMs + 60 * MINUTE],
  [
    "milliseconds to wait, which are more exact",
    { "retry-after-ms": "1500", "retry-after": "2" },
    nowMs + 1_500,
  ],
  [
    "the wait rather than the budgets",
    { "retry-after": "1", "x-ratelimit-reset-requests": "1h", "x-ratelimit-remaining-requests": "0" },
    nowMs + SECOND,
  ],
  [
    "durations of the exhausted budget only",
    {
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "6m0s",
      "x-ratelimit-remaining-tokens": "149984",
      "x-ratelimit-reset-tokens": "2h0m0s",
    },
    nowMs + 6 * MINUTE,
  ],
  [
    "dates of the later of two exhausted budgets",
    {
      "anthropic-ratelimit-requests-remaining": "0",
      "anthropic-ratelimit-requests-reset": "2026-01-02T03:05:05Z",
      "anthropic-ratelimit-input-tokens-remaining": "0",
      "anthropic-ratelimit-input-tokens-reset": "2026-01-02T03:06:05Z",
      "anthropic-ratelimit-output-tokens-remaining": "80000",
      "anthropic-ratelimit-output-tokens-reset": "2026-01-02T09:00:00Z",
    },
    nowMs + 2 * MINUTE,
  ],
  ["milliseconds as a duration", { "x-ratelimit-reset-tokens": "20ms" }, nowMs + 20],
  [
    "seconds since 1970",
    { "anthropic-ratelimit-unified-reset": String((nowMs + MINUTE) / 1_000) },
    nowMs + MINUTE,
  ],
  ["milliseconds since 1970", { "x-ratelimit-reset": String(nowMs + MINUTE) }, nowMs + MINUTE],
  ["seconds from now", { "x-ratelimit-reset": "45" }, nowMs + 45 * SECOND],
];

const fromText: [text: string, expected: number][] = [
  ["Rate limit reached. Please try again in 6m0s.", nowMs + 6 * MINUTE],
  ["Please try again in 20ms. Visit the limits page.", nowMs + 20],
  ["Please try again in 1h 30m.", nowMs + 90 * MINUTE],
  ["Your limit resets in 12.5s", nowMs + 12_500],
  ["You will regain access: try again at 2026-02-01T00:00:00Z", Date.parse("2026-02-01T00:00:00Z")],
];

describe("resetTimeOf reads from the headers", () => {
  it.each(fromHeaders)("%s", (_name, headers, expected) => {
    expect(resetTimeOf({ headers, text: "", nowMs })).toBe(expected);
  });
});

describe("resetTimeOf reads from the sentence", () => {
  it.each(fromText)("%s", (text, expected) => {
    expect(resetTimeOf({ headers: {}, text, nowMs })).toBe(expected);
  });
});

describe("resetTimeOf does not guess", () => {
  it.each([
    ["without any hint", {}, "Slow down."],
    ["from a header that is no time", { "retry-after": "soon", "x-ratelimit-reset-tokens": "later" }, ""],
    ["from a limit without a reset", { "x-ratelimit-remaining-tokens": "0" }, ""],
  ])("%s", (_name, headers, text) => {
    expect(resetTimeOf({ headers: headers as Record<string, string>, text, nowMs })).toBeUndefined();
  });
});
