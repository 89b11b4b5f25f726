import { describe, expect, it } from "vitest";
import { firstLease, frame, newRun, step, T0 } from "./fixtures.js";
import type { StoreScenario } from "./scenario.js";

const key = (json: string) => ({ encoding: "keyframe", json }) as const;
const delta = (json: string) => ({ encoding: "delta", json }) as const;
const at = <T>(frameNo: number, snapshot: T) => ({ frameNo, ...snapshot });

export function frames(scenario: StoreScenario): void {
  describe("frames", () => {
    it("are listed newest first, each with the frame whose snapshot it shows", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.commit(step({ frames: [frame(1, { reason: "mount", snapshot: key("A") })] }));
      await store.commit(step({ frames: [frame(2, { nodeId: "a", iteration: 3 }), frame(3)] }));
      await store.commit(
        step({ frames: [frame(4, { snapshot: delta("B") }), frame(5, { snapshotFrameNo: 4 })] }),
      );
      const all = await store.listFrames("run-1", { limit: 10 });
      expect(all.map(({ frameNo, snapshotFrameNo }) => [frameNo, snapshotFrameNo])).toEqual([
        [5, 4],
        [4, 4],
        [3, 1],
        [2, 1],
        [1, 1],
      ]);
      expect(all.at(-2)).toEqual({
        frameNo: 2,
        createdAtMs: T0 + 2,
        reason: "output",
        nodeId: "a",
        iteration: 3,
        seq: null,
        snapshotFrameNo: 1,
      });
      expect(
        (await store.listFrames("run-1", { afterFrameNo: 3, limit: 10 })).map((row) => row.frameNo),
      ).toEqual([5, 4]);
      const between = await store.listFrames("run-1", { afterFrameNo: 1, beforeFrameNo: 5, limit: 2 });
      expect(between.map((row) => row.frameNo)).toEqual([4, 3]);
      expect((await store.listFrames("run-1", { limit: 2 })).map((row) => row.frameNo)).toEqual([5, 4]);
    });

    it("lead to their snapshot by the newest keyframe and the deltas since", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.commit(
        step({ frames: [frame(1, { snapshot: key("A") }), frame(2, { snapshot: delta("b") })] }),
      );
      await store.commit(step({ frames: [frame(3), frame(4, { snapshot: delta("c") })] }));
      await store.commit(
        step({ frames: [frame(5, { snapshot: key("D") }), frame(6, { snapshot: delta("e") }), frame(7)] }),
      );
      expect(await store.snapshotChain("run-1", 1)).toEqual([at(1, key("A"))]);
      expect(await store.snapshotChain("run-1", 3)).toEqual([at(1, key("A")), at(2, delta("b"))]);
      expect(await store.snapshotChain("run-1", 4)).toEqual([
        at(1, key("A")),
        at(2, delta("b")),
        at(4, delta("c")),
      ]);
      expect(await store.snapshotChain("run-1", 5)).toEqual([at(5, key("D"))]);
      expect(await store.snapshotChain("run-1", 7)).toEqual([at(5, key("D")), at(6, delta("e"))]);
    });

    it("have no chain where there is no frame", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.commit(step({ frames: [frame(1, { snapshot: key("A") })] }));
      expect(await store.snapshotChain("run-1", 0)).toBeUndefined();
      expect(await store.snapshotChain("run-1", 2)).toBeUndefined();
      expect(await store.snapshotChain("none", 1)).toBeUndefined();
    });

    it("are those of the run, however large the number that they are asked for by", async () => {
      const store = await scenario.open();
      for (const runId of ["run-1", "run-2"]) {
        await store.createRun(newRun({ runId }));
        const lease = { ...firstLease, runId };
        await store.commit(step({ lease, frames: [frame(1, { snapshot: key(runId) }), frame(2)] }));
      }
      const own = [at(1, key("run-1"))];
      for (const huge of [2 ** 27, 2 ** 27 + 1, 2 ** 30, Number.MAX_SAFE_INTEGER]) {
        expect(await store.snapshotChain("run-1", huge)).toBeUndefined();
        expect(await store.listFrames("run-1", { afterFrameNo: huge, limit: 9 })).toEqual([]);
        const before = await store.listFrames("run-1", { beforeFrameNo: huge, limit: 9 });
        expect(before.map(({ frameNo }) => frameNo)).toEqual([2, 1]);
      }
      expect(await store.listFrames("run-2", { beforeFrameNo: -5, limit: 9 })).toEqual([]);
      expect((await store.listFrames("run-2", { afterFrameNo: -5, limit: 9 })).length).toBe(2);
      expect((await store.loadRun("run-1"))?.lastSnapshot).toEqual(own);
    });

    it("hand the newest chain to the process that loads the run", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      expect((await store.loadRun("run-1"))?.lastSnapshot).toEqual([]);
      await store.commit(
        step({ frames: [frame(1, { snapshot: key("A") }), frame(2, { snapshot: delta("b") }), frame(3)] }),
      );
      expect((await store.loadRun("run-1"))?.lastSnapshot).toEqual([at(1, key("A")), at(2, delta("b"))]);
    });
  });
}
