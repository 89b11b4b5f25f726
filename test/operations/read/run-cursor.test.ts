import { describe, expect, it } from "vitest";
import { runCursor, runPosition } from "../../../src/operations/read/run-cursor.js";

describe("the cursor of a page of runs", () => {
  it.each(["k3j2", "a:b:0", 'with "quotes"', "1:2"])("leads to where the page ended: %s", (runId) => {
    expect(runPosition(runCursor({ createdAtMs: 1_700_000_000_000, runId }))).toEqual({
      createdAtMs: 1_700_000_000_000,
      runId,
    });
  });

  it("leads on from a page that the version before has given", () => {
    expect(runPosition("1700000000000:a:b")).toEqual({ createdAtMs: 1_700_000_000_000, runId: "a:b" });
  });

  it.each(["yesterday", "", "[]", '["r", 1]', '[1, "r", 2]', "1:", ":r", "9".repeat(20)])(
    "is not %j",
    (cursor) => {
      expect(() => runPosition(cursor)).toThrow(
        expect.objectContaining({
          code: "INVALID_INPUT",
          message: expect.stringContaining("is not one of a page of runs"),
        }),
      );
    },
  );
});
