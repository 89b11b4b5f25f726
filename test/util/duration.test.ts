import fc from "../support/property-tests.js";
import { describe, expect, it } from "vitest";
import { formatDuration, parseDuration } from "../../src/util/duration.js";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe("parseDuration", () => {
  it.each([
    ["250ms", 250],
    ["30s", 30 * SECOND],
    ["5m", 5 * MINUTE],
    ["2h", 2 * HOUR],
    ["1d", DAY],
    ["0s", 0],
    ["1.5h", 90 * MINUTE],
    ["750", 750],
    ["  10 s ", 10 * SECOND],
  ])("reads %j", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it("takes a number as milliseconds", () => {
    expect(parseDuration(0)).toBe(0);
    expect(parseDuration(1_500)).toBe(1_500);
  });

  it.each(["", "s", "-5s", "5 minutes", "5x", "1h30m", "1e3", ".5s", "5.s", "0x10", "5S", "Infinity"])(
    "refuses the text %j",
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("refuses the number %d", (value) => {
    expect(parseDuration(value)).toBeUndefined();
  });

  it("gives the same for a unit and for its milliseconds", () => {
    fc.assert(
      fc.property(fc.nat(100_000), (count) => {
        expect(parseDuration(`${count}m`)).toBe(parseDuration(`${count * MINUTE}ms`));
      }),
    );
  });
});

describe("formatDuration", () => {
  it.each([
    [0, "0ms"],
    [340, "340ms"],
    [999, "999ms"],
    [SECOND, "1.0s"],
    [4_200, "4.2s"],
    [MINUTE, "1m 00s"],
    [3 * MINUTE + 5 * SECOND, "3m 05s"],
    [HOUR - SECOND, "59m 59s"],
    [HOUR, "1h 00m"],
    [2 * HOUR + 10 * MINUTE, "2h 10m"],
    [DAY - MINUTE, "23h 59m"],
    [DAY, "1d 0h"],
    [3 * DAY + 4 * HOUR, "3d 4h"],
    [400 * DAY, "400d 0h"],
  ])("writes %d ms as %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
