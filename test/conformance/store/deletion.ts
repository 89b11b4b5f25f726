import { describe, expect, it } from "vitest";
import { attempt, draft, events, frame, newRun, node, pending, step, T0, WAKE } from "./fixtures.js";
import type { StoreScenario } from "./scenario.js";

export function deletion(scenario: StoreScenario): void {
  describe("deleting runs", () => {
    it("removes an ended run with everything that belongs to it, and nothing of another", async () => {
      const store = await scenario.open();
      for (const runId of ["run-1", "run-2"]) {
        await store.createRun(newRun({ runId }));
        await store.submitIntent({ runId, intent: WAKE, createdAtMs: T0 });
        await store.commit(
          step({
            lease: { runId, ownerId: "owner-1", epoch: 1 },
            run: { status: "finished", release: true },
            nodes: [node("a")],
            attempts: [attempt("a")],
            outputs: [draft(store, "a", { text: runId, words: 1 })],
            controls: [{ kind: "loop", id: "l", iteration: 0, done: true, exhausted: false }],
            events: events(0, pending("a")),
            frames: [frame(1, { snapshot: { encoding: "keyframe", json: "{}" } })],
            usage: [
              {
                runId,
                nodeId: "a",
                iteration: 0,
                attempt: 1,
                callNo: 0,
                agentId: "g",
                inputTokens: 1,
                outputTokens: 1,
                atMs: T0,
              },
            ],
          }),
        );
      }
      const kept = await store.loadRun("run-2");
      expect(await store.deleteRuns(["run-1"])).toEqual(["run-1"]);
      expect(await store.loadRun("run-2")).toEqual(kept);
      // A run of the same id starts from nothing.
      await store.createRun(newRun());
      expect(await store.loadRun("run-1")).toMatchObject({
        run: { status: "running", nextSeq: 0, frameNo: 0 },
        nodes: [],
        openAttempts: [],
        controls: [],
        outputs: [],
        intents: [],
        usage: [],
        lastSnapshot: [],
      });
      expect(await store.listEvents("run-1", { limit: 10 })).toEqual([]);
      expect(await store.listFrames("run-1", { limit: 10 })).toEqual([]);
    });

    it("leaves runs alone that have not ended, and says which ones went", async () => {
      const store = await scenario.open();
      for (const runId of ["live", "waiting", "failed", "cancelled"])
        await store.createRun(newRun({ runId }));
      for (const [runId, status] of [
        ["waiting", "waiting-approval"],
        ["failed", "failed"],
        ["cancelled", "cancelled"],
      ] as const) {
        await store.commit(
          step({ lease: { runId, ownerId: "owner-1", epoch: 1 }, run: { status, release: true } }),
        );
      }
      const all = ["live", "waiting", "failed", "none", "cancelled"];
      expect((await store.deleteRuns(all)).toSorted()).toEqual(["cancelled", "failed"]);
      expect((await store.listRuns({ limit: 10 })).map(({ runId }) => runId).toSorted()).toEqual([
        "live",
        "waiting",
      ]);
    });

    it("leaves an ended run alone whose owner lives", async () => {
      const store = await scenario.open();
      for (const [runId, release] of [
        ["left", true],
        ["held", false],
      ] as const) {
        await store.createRun(newRun({ runId }));
        const lease = { runId, ownerId: "owner-1", epoch: 1 };
        await store.commit(step({ lease, run: { status: "failed", release } }));
      }
      const asked: unknown[] = [];
      const isAlive = (owner: unknown) => asked.push(owner) > 0;
      expect(await store.deleteRuns(["left", "held"], isAlive)).toEqual(["left"]);
      expect(asked).toEqual([{ ownerId: "owner-1", heartbeatAtMs: T0 }]);
      expect(await store.deleteRuns(["held"], () => false)).toEqual(["held"]);
    });

    it("copes with more runs than one transaction takes", async () => {
      const store = await scenario.open();
      const ids = Array.from({ length: 75 }, (_, index) => `run-${index}`);
      for (const runId of ids) {
        await store.createRun(newRun({ runId }));
        await store.commit(
          step({ lease: { runId, ownerId: "owner-1", epoch: 1 }, run: { status: "failed" } }),
        );
      }
      expect((await store.deleteRuns(ids)).toSorted()).toEqual(ids.toSorted());
      expect(await store.listRuns({ limit: 10 })).toEqual([]);
      expect(await store.deleteRuns([])).toEqual([]);
    });
  });
}
