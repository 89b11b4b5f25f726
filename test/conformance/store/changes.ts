import { describe, expect, it } from "vitest";
import { newRun, step, T0, WAKE } from "./fixtures.js";
import type { StoreScenario } from "./scenario.js";

export function changes(scenario: StoreScenario): void {
  describe("the change token", () => {
    it("tells a handle that another one wrote, where the store can tell", async () => {
      const [mine, other] = [await scenario.open(), await scenario.open()];
      await mine.createRun(newRun());
      const before = await mine.changeToken();
      if (before === undefined) return;
      expect(await mine.changeToken()).toBe(before);
      await other.submitIntent({ runId: "run-1", intent: WAKE, createdAtMs: T0 });
      // Where the database itself tells, it does so a little later.
      await expect.poll(() => mine.changeToken(), { interval: 5 }).not.toBe(before);
      const after = await mine.changeToken();
      await mine.commit(step({ run: { frameNo: 1 } }));
      expect(await mine.changeToken()).toBe(after);
    });
  });

  describe("preparing", () => {
    it("may be repeated, by several handles", async () => {
      const [first, second] = [await scenario.open(), await scenario.open()];
      await first.createRun(newRun());
      await second.prepare();
      await first.prepare();
      expect(await second.getRun("run-1")).toBeDefined();
    });
  });
}
