import { describe, expect, it } from "vitest";
import { LOG_FORMATTERS } from "../../../src/observability/log/formats.js";
import type { LogRecord } from "../../../src/observability/log/record.js";
import { LOG_FORMATS } from "../../../src/observability/options.js";

const record: LogRecord = {
  atMs: Date.UTC(2026, 10, 22, 8, 30, 1, 5),
  severity: "Warn",
  message: "task failed",
  fields: { runId: "run-1", attempt: 2, error: 'No "luck".', cached: undefined, tags: ["a", "b"] },
};

describe("a record", () => {
  it("is written as JSON with its values", () => {
    expect(JSON.parse(LOG_FORMATTERS.json(record, false))).toEqual({
      timestamp: "2026-11-22T08:30:01.005Z",
      level: "WARN",
      message: "task failed",
      runId: "run-1",
      attempt: 2,
      error: 'No "luck".',
      tags: ["a", "b"],
    });
  });

  it("is written as logfmt, quoted where it has to be", () => {
    expect(LOG_FORMATTERS.logfmt(record, false)).toBe(
      'timestamp=2026-11-22T08:30:01.005Z level=WARN message="task failed" runId=run-1 attempt=2 error="No \\"luck\\"." tags="[\\"a\\",\\"b\\"]"',
    );
  });

  it("is written as a plain line", () => {
    expect(LOG_FORMATTERS.string({ ...record, fields: { runId: "run-1" } }, false)).toBe(
      "2026-11-22T08:30:01.005Z WARN task failed runId=run-1",
    );
  });

  it("is written for people, in color only where color is shown", () => {
    const plain = "08:30:01.005 WARN  task failed runId=run-1";
    const short = { ...record, fields: { runId: "run-1" } };
    expect(LOG_FORMATTERS.pretty(short, false)).toBe(plain);
    const colored = LOG_FORMATTERS.pretty(short, true);
    expect(colored).toContain("\u001B[");
    expect(colored.replace(/\u001B\[\d*m/g, "")).toBe(plain);
  });
});

describe.each(LOG_FORMATS)("in the format %s", (format) => {
  const write = (text: string) =>
    LOG_FORMATTERS[format]({ ...record, message: text, fields: { said: text, [text]: 1 } }, false);

  it.each([
    ["line ends", "one\ntwo\r\nthree\u2028four\u2029five\u0085six"],
    ["terminal commands", "\u001B[2J\u001B]0;title\u0007\u009B31m"],
    ["directions", "abc\u202Efdp.exe"],
    ["a line of its own", '"\ntimestamp=now level=FATAL message="all is lost'],
    ["NUL", "\u0000"],
  ])("foreign text with %s stays within its line and is inert", (_what, text) => {
    expect(write(text)).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202E]/);
  });

  it("values that have no JSON do no harm", () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    const fields = {
      circle,
      big: 10n,
      nothing: null,
      symbol: Symbol("s"),
      nan: Number.NaN,
      error: new Error("e"),
    };
    expect(LOG_FORMATTERS[format]({ ...record, fields }, false)).toContain("Error: e");
  });
});

it("no field of a JSON record passes for what the record says of itself", () => {
  const line = LOG_FORMATTERS.json(
    { ...record, fields: { level: "FATAL", message: "other", timestamp: 0 } },
    false,
  );
  expect(JSON.parse(line)).toEqual({
    timestamp: "2026-11-22T08:30:01.005Z",
    level: "WARN",
    message: "task failed",
  });
});
