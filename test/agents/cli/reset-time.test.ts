import { describe, expect, it } from "vitest";
import { quotaResetAt } from "../../../src/agents/cli/reset-time.js";

const NOW = Date.parse("2026-08-20T10:00:00Z");
const HOUR = 3_600_000;
const MINUTE = 60_000;
const SECOND = 1_000;

describe("a wait", () => {
  it.each([
    ["try again in 2 days 17 hours 14 minutes.", 65 * HOUR + 14 * MINUTE],
    ["or try again in 5 days 22 hours 11\nminutes.", 142 * HOUR + 11 * MINUTE],
    ["Individual quota reached. Resets in 167h51m3s.", 167 * HOUR + 51 * MINUTE + 3 * SECOND],
    ["5-hour standard usage limit (resets in 3h 21min)", 3 * HOUR + 21 * MINUTE],
    ["Your quota will reset after 8h44m7s.", 8 * HOUR + 44 * MINUTE + 7 * SECOND],
    ["Please retry in 41.2s.", 41_200],
    ["Retry after 30 seconds", 30 * SECOND],
    ["retry-after: 3600", HOUR],
    ['"resets_in_seconds":13872', 13_872 * SECOND],
    ['"retryDelay":"34.07s"', 34_070],
  ])("is added to now: %s", (text, wait) => {
    expect(quotaResetAt(text, NOW, "UTC")).toBe(NOW + wait);
  });
});

describe("a moment", () => {
  it.each([
    ["Claude AI usage limit reached|1787288400", "2026-08-21T05:00:00Z"],
    ['{"resets_at":1787288400,"plan_type":"plus"}', "2026-08-21T05:00:00Z"],
    ["x-ratelimit-reset: 1787288400000", "2026-08-21T05:00:00Z"],
    ["quotaResetTimeStamp: 2026-08-21T05:00:00Z", "2026-08-21T05:00:00Z"],
    ["try again at Aug 20, 2026, 7:38 PM", "2026-08-20T19:38:00Z"],
    ["try again at Aug 28th, 2026 12:30 PM.", "2026-08-28T12:30:00Z"],
    ["Try again Aug 28.", "2026-08-28T00:00:00Z"],
    ["resets Sep 23 at 4pm (America/Recife)", "2026-09-23T19:00:00Z"],
    ["resets May 4 at 9am", "2027-05-04T09:00:00Z"],
  ])("is read: %s", (text, moment) => {
    expect(quotaResetAt(text, NOW, "UTC")).toBe(Date.parse(moment));
  });
});

describe("a time of day", () => {
  it.each([
    ["try again at 3:28 PM.", "2026-08-20T15:28:00Z"],
    ["or try again at 10:15", "2026-08-20T10:15:00Z"],
    ["resets 4pm", "2026-08-20T16:00:00Z"],
    ["resets 9am", "2026-08-21T09:00:00Z"],
    ["resets 12am", "2026-08-21T00:00:00Z"],
    ["You've hit your limit · resets 1:30am (Asia/Dhaka)", "2026-08-20T19:30:00Z"],
    ["Your limit will reset at 3pm (America/Bogota).", "2026-08-20T20:00:00Z"],
  ])("is the next one to come: %s", (text, moment) => {
    expect(quotaResetAt(text, NOW, "UTC")).toBe(Date.parse(moment));
  });

  it("is one of this machine's zone unless the text names another", () => {
    expect(quotaResetAt("resets 4pm", NOW, "Asia/Tokyo")).toBe(Date.parse("2026-08-21T07:00:00Z"));
    expect(quotaResetAt("resets 4pm (No/Where)", NOW, "UTC")).toBe(Date.parse("2026-08-20T16:00:00Z"));
  });

  it("is right on the day that the clocks change", () => {
    const eve = Date.parse("2026-03-28T20:00:00Z");
    expect(quotaResetAt("resets 4am (Europe/Berlin)", eve, "UTC")).toBe(Date.parse("2026-03-29T02:00:00Z"));
  });
});

describe("what tells nothing", () => {
  it.each([
    "Try again later.",
    "wait a moment before trying again",
    "limit reached",
    "",
    "resets soon",
    "Error 429",
  ])("gives no moment: %s", (text) => {
    expect(quotaResetAt(text, NOW, "UTC")).toBeUndefined();
  });

  it("is read in one pass, however long it is", () => {
    expect(quotaResetAt("reset".repeat(200_000), NOW, "UTC")).toBeUndefined();
    expect(quotaResetAt(`again${" ".repeat(500_000)}x`, NOW, "UTC")).toBeUndefined();
  });

  it("includes moments that have passed", () => {
    expect(quotaResetAt("try again at Aug 19, 2026, 7:38 PM", NOW, "UTC")).toBeUndefined();
    expect(quotaResetAt("usage limit reached|1700000000", NOW, "UTC")).toBeUndefined();
  });
});
