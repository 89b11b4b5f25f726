import { describe, expect, it } from "vitest";
import type { SlotRequest } from "../../../src/store/slot-contract.js";
import { codeOf, newRun, T0 } from "./fixtures.js";
import type { StoreScenario } from "./scenario.js";

const declared = { api: { concurrency: 2 } };
const isAlive = () => true;

const leaseOf = (runId: string) => ({ runId, ownerId: `owner-of-${runId}`, epoch: 1 });
const nodesOf = (ids: readonly string[]) => ids.map((nodeId) => ({ nodeId, iteration: 0 }));

function request(runId: string, ids: readonly string[], overrides: Partial<SlotRequest> = {}): SlotRequest {
  const acquires = ids.length === 0 ? [] : [{ limits: ["api"], nodes: nodesOf(ids) }];
  return {
    nowMs: T0,
    isAlive,
    runs: [{ lease: leaseOf(runId), declared, acquires }],
    most: 100,
    ...overrides,
  };
}

/** What limits that runs share have to do. */
export function limits(scenario: StoreScenario): void {
  async function openWithRuns(...runIds: string[]) {
    const store = await scenario.open();
    for (const runId of runIds) {
      await store.createRun(newRun({ runId, ownerId: leaseOf(runId).ownerId, nowMs: T0 }));
    }
    return store;
  }

  describe("named limits", () => {
    it("give no more slots than they have, in the order of arrival", async () => {
      const store = await openWithRuns("a", "b");
      const first = await store.limits.take(request("a", ["1", "2", "3"]));
      expect(first.granted.map(({ nodeId }) => nodeId)).toEqual(["1", "2"]);
      const second = await store.limits.take(request("b", ["4"]));
      expect(second.granted).toEqual([]);
    });

    it("give no slot twice to processes that ask at the same time", async () => {
      const runIds = ["a", "b", "c", "d"];
      const store = await openWithRuns(...runIds);
      const others = await Promise.all(runIds.map(() => scenario.open()));
      const answers = await Promise.all(
        runIds.map((runId, index) => others[index]?.limits.take(request(runId, ["1", "2"]))),
      );
      expect(answers.flatMap((answer) => answer?.granted ?? [])).toHaveLength(2);
      const waiting = await Promise.all(
        runIds.map((runId) => store.limits.queuesOf(runId, { nowMs: T0, isAlive })),
      );
      expect(waiting.flat().flatMap(({ nodes }) => nodes)).toHaveLength(6);
    });

    it("tell who is ahead and who has the slots", async () => {
      const store = await openWithRuns("a", "b", "c");
      await store.limits.take(request("a", ["1", "2"]));
      for (const runId of ["b", "c"]) {
        await store.limits.declare({ declared, lease: leaseOf(runId), isAlive });
        await store.limits.take(request(runId, ["3"]));
      }
      const [queue] = await store.limits.queuesOf("c", { nowMs: T0, isAlive });
      expect(queue).toMatchObject({ limits: ["api"], nodes: nodesOf(["3"]), ahead: 1 });
      expect(queue?.use[0]?.holders.map(({ runId }) => runId)).toEqual(["a", "a"]);
    });

    it("are refused where a run that is driven has declared them otherwise", async () => {
      const store = await openWithRuns("a", "b");
      await store.limits.declare({ declared, lease: leaseOf("a"), isAlive });
      const other = { declared: { api: { concurrency: 3 } }, lease: leaseOf("b"), isAlive };
      expect(await codeOf(() => store.limits.declare(other))).toBe("LIMIT_CONFLICT");
      await store.limits.declare({ ...other, isAlive: () => false });
    });
  });
}
