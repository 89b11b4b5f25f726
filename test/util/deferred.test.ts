import { describe, expect, it } from "vitest";
import { deferred } from "../../src/util/deferred.js";

describe("deferred", () => {
  it("resolves its promise from outside", async () => {
    const { promise, resolve } = deferred<number>();
    resolve(7);
    await expect(promise).resolves.toBe(7);
  });

  it("rejects its promise from outside with the very same reason", async () => {
    const reason = new Error("late");
    const { promise, reject } = deferred<number>();
    reject(reason);
    await expect(promise).rejects.toBe(reason);
  });

  it("settles once: what comes later is ignored", async () => {
    const { promise, resolve, reject } = deferred<string>();
    resolve("first");
    resolve("second");
    reject(new Error("third"));
    await expect(promise).resolves.toBe("first");
  });
});
