import { describe, expect, it } from "vitest";
import type { ToolEffect } from "../../../src/model/tool-effect.js";
import { firstLease, newRun, step } from "./fixtures.js";
import type { StoreScenario } from "./scenario.js";

const begun: ToolEffect = {
  nodeId: "pay",
  iteration: 0,
  attempt: 1,
  callNo: 1,
  toolName: "charge",
  idempotencyKey: "run-1:pay:0:charge:1",
  argsJson: '{"to":"Ünïcode"}',
  resultJson: null,
  outcome: "unknown",
  revertState: null,
};

export function toolEffects(scenario: StoreScenario): void {
  describe("calls of tools that can be undone", () => {
    it("are kept with the commit as they begin, and again as they go on", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.createRun(newRun({ runId: "run-2" }));
      const second = { ...begun, callNo: 2 };
      await store.commit(step({ toolEffects: [second, begun] }));
      expect(await store.listToolEffects("run-1")).toEqual([begun, second]);
      const done: ToolEffect = { ...begun, outcome: "done", resultJson: '{"id":1}', revertState: "begun" };
      await store.commit(step({ toolEffects: [done] }));
      expect(await store.listToolEffects("run-1")).toEqual([done, second]);
      expect(await store.listToolEffects("run-2")).toEqual([]);
    });

    it("are not kept by an owner that has lost the run", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const lease = { ...firstLease, epoch: firstLease.epoch - 1 };
      const late = (async () => store.commit(step({ lease, toolEffects: [begun] })))();
      await expect(late).rejects.toMatchObject({ code: "RUN_RESUME_CLAIM_LOST" });
      expect(await store.listToolEffects("run-1")).toEqual([]);
    });
  });
}
