import { describe, expect, it } from "vitest";
import { retryBusy } from "../../src/store/sqlite/retry-busy.js";
import { codeOf } from "../conformance/store/fixtures.js";

const busy = () => Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });
const policy = { path: "service.db", busyTimeoutMs: 1000 };

describe("a locked database", () => {
  it("is tried again until the lock is gone", () => {
    let attempts = 0;
    const result = retryBusy("write", policy, () => {
      attempts += 1;
      if (attempts < 4) throw busy();
      return attempts;
    });
    expect(result).toBe(4);
  });

  it("is given up when the waiting time is over", async () => {
    const impatient = { ...policy, busyTimeoutMs: 20 };
    const locked = () => {
      throw busy();
    };
    expect(await codeOf(() => retryBusy("write", impatient, locked))).toBe("DB_BUSY");
  });

  it("is not tried again after any other error", () => {
    let attempts = 0;
    const failing = () => {
      attempts += 1;
      throw new RangeError("mine");
    };
    expect(() => retryBusy("write", policy, failing)).toThrow(RangeError);
    expect(attempts).toBe(1);
  });
});
