import { describe, expect, it } from "vitest";
import { cronTimes } from "../../../src/operations/schedules/cron-times.js";

function next(pattern: string, timeZone: string, afterIso: string, count = 3): string[] {
  return cronTimes({ pattern, timeZone })
    .next(Date.parse(afterIso), count)
    .map((ms) => new Date(ms).toISOString());
}

describe("a time of day in a zone", () => {
  it("that the clock leaves out comes at the first moment after it, on that day only", () => {
    // Clocks in Berlin go from 02:00 to 03:00 on 29 March 2026.
    expect(next("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z")).toEqual([
      "2026-03-29T01:00:00.000Z",
      "2026-03-30T00:30:00.000Z",
      "2026-03-31T00:30:00.000Z",
    ]);
  });

  it("that the clock shows twice comes once", () => {
    // Clocks in Berlin go from 03:00 back to 02:00 on 25 October 2026.
    expect(next("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z")).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z",
      "2026-10-27T01:30:00.000Z",
    ]);
  });

  it("is a time of day as well when several hours are listed", () => {
    expect(next("30 2,14 * * *", "Europe/Berlin", "2026-03-28T14:00:00Z", 2)).toEqual([
      "2026-03-29T01:00:00.000Z",
      "2026-03-29T12:30:00.000Z",
    ]);
  });
});

it("intervals continue through the hour that comes twice", () => {
  expect(next("*/30 * * * *", "Europe/Berlin", "2026-10-25T00:00:00Z", 4)).toEqual([
    "2026-10-25T00:30:00.000Z",
    "2026-10-25T01:00:00.000Z",
    "2026-10-25T01:30:00.000Z",
    "2026-10-25T02:00:00.000Z",
  ]);
});

it("the newest times up to a moment include the moment and leave out where they begin", () => {
  const from = Date.parse("2026-01-01T09:00:00Z");
  const until = Date.parse("2026-01-01T09:03:00Z");
  const found = cronTimes({ pattern: "* * * * *", timeZone: "UTC" }).between(from, until, 10);
  expect(found).toEqual([until, until - 60_000, until - 120_000]);
  expect(cronTimes({ pattern: "* * * * *", timeZone: "UTC" }).between(from, until, 2)).toHaveLength(2);
});

it.each([
  ["61 * * * *", "minute: 61"],
  ["* * * *", "five fields"],
  ["0 0 0 1 1 * 2030", "five fields"],
  ["2030-01-01T00:00:00", "five fields"],
  ["@reboot", "@reboot"],
  ["", "five fields"],
  ["* * * * 8", "dayOfWeek: 8"],
])("the pattern %j is refused by name", (pattern, why) => {
  expect(() => cronTimes({ pattern, timeZone: "UTC" })).toThrow(
    expect.objectContaining({
      code: "INVALID_INPUT",
      message: expect.stringContaining(why),
      details: expect.objectContaining({ option: "pattern" }),
    }),
  );
});

it.each(["Mars/Base", "", "+02:00"])("the zone %j is refused by name", (timeZone) => {
  expect(() => cronTimes({ pattern: "* * * * *", timeZone })).toThrow(
    expect.objectContaining({
      code: "INVALID_INPUT",
      details: expect.objectContaining({ option: "timeZone" }),
    }),
  );
});
