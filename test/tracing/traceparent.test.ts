import { describe, expect, it } from "vitest";
import { newSpanId, newTraceId, parseTraceparent, traceparentOf } from "../../src/tracing/span-context.js";

const TEXT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

describe("traceparent", () => {
  it("is read and written as W3C Trace Context has it", () => {
    const context = parseTraceparent(TEXT);
    expect(context).toEqual({
      traceId: "0af7651916cd43dd8448eb211c80319c",
      spanId: "b7ad6b7169203331",
      isSampled: true,
    });
    expect(context && traceparentOf(context)).toBe(TEXT);
    expect(parseTraceparent(TEXT.replace(/01$/, "00"))?.isSampled).toBe(false);
    // Bits that are not known yet say nothing about this one.
    expect(parseTraceparent(TEXT.replace(/01$/, "fe"))?.isSampled).toBe(false);
  });

  it("of a later version may have more parts", () => {
    expect(parseTraceparent(`${TEXT.replace(/^00/, "cc")}-what-the-future-holds`)?.isSampled).toBe(true);
  });

  it.each([
    ["nothing", undefined],
    ["an empty one", ""],
    ["one of version ff", TEXT.replace(/^00/, "ff")],
    ["one of version 00 with more parts", `${TEXT}-01`],
    ["one without a trace", TEXT.replace("0af7651916cd43dd8448eb211c80319c", "0".repeat(32))],
    ["one without a span", TEXT.replace("b7ad6b7169203331", "0".repeat(16))],
    ["one in upper case", TEXT.toUpperCase()],
    ["one that is cut", TEXT.slice(0, -1)],
  ])("%s is none", (_what, text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });

  it("gets ids of the right length", () => {
    expect(newTraceId()).toMatch(/^[0-9a-f]{32}$/);
    expect(newSpanId()).toMatch(/^[0-9a-f]{16}$/);
  });
});
